"""Values of attributes as they stand in a clause, each in a form that can be compared."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_WORDS = (
    "zero cero null|one una uno ein eine|two dos zwei|three tres drei|four cuatro vier|five cinco funf|six seis sechs|seven siete sieben"
    "|eight ocho acht|nine nueve neun|ten diez zehn|eleven once elf|twelve doce zwolf"
)
_NUMBERS = {word: number for number, group in enumerate(_WORDS.split("|")) for word in group.split()}
_NUMBER = rf"(?:\d+(?:[.,]\d+)?|{'|'.join(sorted(set(_NUMBERS) - {'once', 'una', 'eine', 'null'}))})"

_SECONDS = {
    0.001: "ms milliseconds? milisegundos? millisekunden?",
    1: "s secs? seconds? segundos? sekunden?",
    60: "mins? minutes? minutos? minuten?",
    3600: "h hours? horas? stunden?",
    86400: "days? dias? tagen? tage",
    604800: "weeks? semanas? wochen?",
    2592000: "months? mes(?:es)? monaten? monate",
    31536000: "years? anos? jahren? jahre",
}
_BYTES = {1: "bytes?", 1 << 10: "ki?b", 1 << 20: "mi?b", 1 << 30: "gi?b", 1 << 40: "ti?b"}
_MONTHS = (
    "jan(?:uary|uar)?|enero|feb(?:ruary|ruar)?|febrero|mar(?:ch)?|marzo|marz|apr(?:il)?|abril|may|mayo|mai|june?|junio|juni|july?|julio|juli"
    "|aug(?:ust)?|agosto|sept?(?:ember)?|septiembre|oct(?:ober)?|octubre|oktober|nov(?:ember)?|noviembre|dec(?:ember)?|diciembre|dezember"
)
_WEEKDAYS = (
    "mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?|lunes|martes|miercoles|jueves|viernes|sabados?|domingos?"
    "|montags?|dienstags?|mittwochs?|donnerstags?|freitags?|samstags?|sonntags?"
)
_FILES = {
    "py",
    "js",
    "ts",
    "md",
    "json",
    "yaml",
    "yml",
    "txt",
    "sql",
    "csv",
    "html",
    "sh",
    "go",
    "rs",
    "toml",
    "jsonl",
    "log",
    "g",
    "e",
}


@dataclass(frozen=True, slots=True)
class Value:
    """A value in a clause: its kind, position and comparable form, and words of it that name the subject."""

    kind: str
    start: int
    end: int
    value: str
    subject: str = ""


def number(text: str) -> float | None:
    """A number in figures or as a word; None for anything else."""
    if text in _NUMBERS:
        return float(_NUMBERS[text])
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return None


def values(folded: str, written: str) -> Iterator[Value]:
    """The values in a clause; `folded` and `written` have the same positions."""
    for kind, pattern, make in _KINDS:
        for found in pattern.finditer(folded):
            made = make(found, written)
            if made is not None:
                value, subject = made
                yield Value(kind, found.start(), found.end(), value, subject)


Made = tuple[str, str] | None


def _version(found: re.Match[str], written: str) -> Made:
    product = found["product"]
    if written[found.start("product")].islower() and product not in PRODUCTS:
        return None
    return (found["number"], product) if product not in _NO_PRODUCTS else None


def _quantity(units: dict[float, str] | dict[int, str]) -> Callable[[re.Match[str], str], Made]:
    known = [(re.compile("|".join(names.split())), scale) for scale, names in units.items()]

    def make(found: re.Match[str], _: str) -> Made:
        amount = number(found["number"])
        scale = next((by for pattern, by in known if pattern.fullmatch(found["unit"])), None)
        return None if amount is None or scale is None else (f"{amount * scale:g}", "")

    return make


def _alternatives(units: dict[float, str] | dict[int, str]) -> str:
    return "|".join(name for names in units.values() for name in names.split())


def _money(found: re.Match[str], _: str) -> Made:
    amount = number(found["number"] or found["after"])
    sign = (found["unit"] or found["sign"]).strip()
    currency = next((name for name, signs in _CURRENCIES.items() if sign.rstrip("s") in signs), sign)
    return None if amount is None else (f"{amount:g}", currency)


_CURRENCIES = {
    "dollar": {"dollar", "$", "usd", "dolare"},
    "euro": {"euro", "€", "eur"},
    "pound": {"pound", "£", "gbp", "libra"},
}


def _time(found: re.Match[str], _: str) -> Made:
    hour, minute = number(found["hour"]), int(found["minute"] or 0)
    if hour is None or hour > 24 or minute > 59:
        return None
    half = found["half"] or ""
    if half.startswith("p") and hour < 12:
        hour += 12
    if not half and found["minute"] is None and not found["at"]:
        return None
    return f"{int(hour)}:{minute:02}", ""


def _date(found: re.Match[str], _: str) -> Made:
    return f"{int(found['day'] or found['later'])} {(found['month'] or found['first'])[:3]}", ""


def _text(found: re.Match[str], _: str) -> Made:
    return found.group().strip(), ""


def _host(found: re.Match[str], _: str) -> Made:
    name = found.group()
    last = name.rpartition(".")[2]
    return None if last in _FILES or not last.isalpha() else (name, "")


def _figure(found: re.Match[str], _: str) -> Made:
    amount = number(found["number"])
    return None if amount is None else (f"{amount:g}", "")


def _state(found: re.Match[str], _: str) -> Made:
    return "on" if found.group() in _ON else "off", ""


_ON = {"on", "enabled", "activado", "activada", "aktiviert"}
PRODUCTS = frozenset(
    """
    python node nodejs postgres postgresql mysql mariadb mongodb sqlite java kotlin redis kafka rabbitmq nginx debian ubuntu alpine fedora django
    flask react angular vue ruby rails php laravel go golang rust typescript terraform kubernetes docker elasticsearch opensearch android ios macos
    windows spring gradle maven
    """.split()  # noqa: SIM905
)
"""Products that are also written in small letters, or of which a plain figure is a version."""
_NO_PRODUCTS = {
    *"version port room chapter season episode phase step day week month year level top line page version part team stage track puerto sala tema".split(),  # noqa: SIM905
    *"seite kapitel tag woche zimmer raum fase paso dia semana capitulo nivel may march june july april august on at to in the a under over".split(),  # noqa: SIM905
    *"extension ext grade gate platform bus flight building unit apartment flat suite q h pr issue ticket bug round group area table figure".split(),  # noqa: SIM905
}

_KINDS: tuple[tuple[str, re.Pattern[str], Callable[[re.Match[str], str], Made]], ...] = (
    ("email", re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"), _text),
    ("region", re.compile(r"\b(?:[a-z]{2}-(?:gov-)?[a-z]+-\d|(?:europe|us|asia|australia)-[a-z]+\d)\b"), _text),
    ("host", re.compile(r"(?<![\w@.-])[a-z0-9](?:[\w-]*[a-z0-9])?(?:\.[a-z0-9-]+)+(?![\w@])"), _host),
    (
        "money",
        re.compile(
            r"(?P<sign>[$€£])\s?(?P<after>\d+(?:[.,]\d+)?)|(?P<number>\d+(?:[.,]\d+)?)\s?(?P<unit>dollars?|euros?|pounds?|usd|eur|gbp|dolares|libras|€|\$|£)"
        ),
        _money,
    ),
    ("percent", re.compile(rf"(?P<number>{_NUMBER})\s?(?:%|percent|por ciento|prozent)"), _figure),
    ("duration", re.compile(rf"\b(?P<number>{_NUMBER})[ -]?(?P<unit>{_alternatives(_SECONDS)})\b"), _quantity(_SECONDS)),
    ("bytes", re.compile(rf"\b(?P<number>{_NUMBER}) ?(?P<unit>{_alternatives(_BYTES)})\b"), _quantity(_BYTES)),
    ("weight", re.compile(rf"\b(?P<number>{_NUMBER}) ?(?:kg|kilos?|kilograms?|kilogramos?|kilogramm)\b"), _figure),
    ("date", re.compile(rf"\b(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)? (?:of |de )?(?P<month>{_MONTHS})|(?P<first>{_MONTHS}) (?P<later>\d{{1,2}})(?!\d))\b"), _date),
    (
        "time",
        re.compile(
            rf"(?P<at>\b(?:at|a las|um|las) )?(?<![\w:.])(?P<hour>{_NUMBER})(?:[:.](?P<minute>\d\d))?(?: ?(?P<half>am|pm|a\.m\.|p\.m\.|uhr))?(?![\w:%]|\.\d)"
        ),
        _time,
    ),
    ("weekday", re.compile(rf"\b(?:{_WEEKDAYS})\b"), _text),
    ("version", re.compile(r"\b(?P<product>[a-z][\w+#.-]*[a-z+#]) (?:version )?v?(?P<number>\d+(?:\.\d+)*)(?![\w%:]|[.,-]\d| ?(?:%|am|pm))"), _version),
    ("figure", re.compile(r"(?<![\w.:$€£-])v?(?P<number>\d+(?:\.\d+)*)(?![\w%:]|[.,-]\d| ?%)"), lambda found, _: (found["number"], "")),
    ("state", re.compile(r"\b(?:on|off|enabled|disabled|(?:des)?activad[oa]|(?:de)?aktiviert)\b"), _state),
    ("people", re.compile(rf"\b(?P<number>{_NUMBER}) (?:people|members|engineers|developers|personas|miembros|leute|mitglieder)\b"), _figure),
)  # fmt: skip


def same(kind: str, one: str, other: str) -> bool:
    """Whether two values of a kind agree, or one only says the other more exactly."""
    if kind in ("version", "figure"):
        mine, theirs = one.split("."), other.split(".")
        shorter = min(len(mine), len(theirs))
        return mine[:shorter] == theirs[:shorter]
    mine_words, their_words = set(one.split()), set(other.split())
    return mine_words <= their_words or their_words <= mine_words
