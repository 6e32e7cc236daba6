"""The numbers, amounts, dates and times of a folded note in English or Spanish, each in a comparable form."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, timedelta

Value = float | tuple[int, int]

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
    "cero un|uno|una dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve",
)
_TENS = "twenty|veinte thirty|treinta forty|cuarenta fifty|cincuenta sixty|sesenta seventy|setenta eighty|ochenta ninety|noventa hundred|cien"


def _forms(line: str, first: int = 0) -> dict[str, int]:
    return {form: n for n, forms in enumerate(line.split(), first) for form in forms.split("|")}


WORDS = (
    _forms(_ONES[0])
    | _forms(_ONES[1])
    | {form: 10 * n for form, n in _forms(_TENS, 2).items()}
    | {f"veinti{form}": 20 + n for form, n in _forms(_ONES[1]).items() if 0 < n < 10}
    | {"dozen": 12, "docena": 12}
)
"""Numbers that are written as words."""
_ARTICLES = frozenset(("un", "una", "uno", "one"))
"""Words that are numbers before a unit only."""
_MONTHS = _forms(
    "january|jan|enero february|feb|febrero march|mar|marzo april|apr|abril may|mayo june|jun|junio july|jul|julio august|aug|agosto "
    "september|sept|sep|septiembre october|oct|octubre november|nov|noviembre december|dec|diciembre",
    1,
)
_DAYS = _forms(
    "monday|lunes tuesday|martes wednesday|miercoles thursday|jueves friday|viernes saturday|sabado sunday|domingo"
)
_SHIFTS = {"pasado manana": 2, "day after tomorrow": 2, "tomorrow": 1, "manana": 1, "yesterday": -1, "ayer": -1, "today": 0, "hoy": 0}  # fmt: skip
_PARTS = {"quarter": 15, "half": 30, "ten": 10, "twenty": 20, "five": 5, "media": 30, "cuarto": 15, "diez": 10, "veinte": 20, "cinco": 5}  # fmt: skip
_TIMES = {"hundred": 100, "thousand": 1_000, "million": 10**6, "mil": 1_000, "millon": 10**6, "millones": 10**6, "k": 1_000}  # fmt: skip
_NTHS = ("first", "primer", "second", "segund", "third", "tercer", "fourth", "cuart", "fifth", "quint")

_ROUNDED = 0.006
_DAY, _MONTH = 86_400.0, 2_628_000.0
_ABOUT, _FEW_MONTHS, _ALMOST = 0.09, 3.1 * _MONTH, 0.02
"""In weeks or days a month is rounded more: one is four weeks or thirty days, twelve are 52 weeks."""
_HOURS, _NOON, _AFTERNOON = 24, 12 * 60, 13 * 60
_UNIT = [
    (re.compile(rf"\s?(?:{forms})(?:e?s)?(?![\w%])"), kind, factor)
    for kind, factor, forms in (
        ("area", 1.0, r"m2|metros? cuadrados|square met(?:re|er)"),
        ("area", 10_000.0, "hectare|hectarea"),
        ("length", 1.0, "m|metre|meter|metro"),
        ("length", 1_000.0, "km|kilometre|kilometer|kilometro"),
        ("length", 0.01, "cm|centimetro|centimetre"),
        ("length", 1_609.0, "mile|milla"),
        ("mass", 1.0, "g|gram|gramo"),
        ("mass", 1_000.0, "kg|kilo|kilogram|kilogramo"),
        ("mass", 0.001, "mg|miligramo"),
        ("span", 1.0, "second|segundo"),
        ("span", 60.0, "min|minute|minuto"),
        ("span", 3_600.0, "h|hour|hora"),
        ("span", _DAY, "day|dia"),
        ("span", 604_800.0, "week|semana"),
        ("span", _MONTH, "month|mes"),
        ("span", 31_536_000.0, "year|ano"),
        ("money", 1.0, r"€|euro|eur|\$|dollar|dolar|usd|£|pound|libra|quid|peso"),
        ("data", 1.0, "mb|megabyte|mega"),
        ("data", 1_000.0, "gb|gigabyte|giga"),
        ("data", 1_000_000.0, "tb|terabyte"),
        ("celsius", 1.0, "[°,] ?c|celsius|degree|grado"),
        ("fahrenheit", 1.0, "[°,] ?f|fahrenheit"),
        ("share", 1.0, "%|percent|per cent|por ciento"),
        ("volume", 1.0, "l|litre|liter|litro"),
    )
]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A value.

    Attributes:
        kind: what it measures; "number" for a bare one.
        value: in the kind's own unit; a date as (month, day), 0 where it has none.
        start, end: its place in the note.
        half: whether a time says in which half of the day it is.
    """

    kind: str
    value: Value
    start: int
    end: int
    half: bool = False


def _any(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


def _plain(written: str) -> float:
    """The number as it was written: 1,150 and 1.150 are thousands, 3,2 and 3.2 are not."""
    if words := [WORDS[word] for word in re.split(r"[- ](?:y )?", written) if word in WORDS]:
        return sum(words)
    if re.fullmatch(r"\d{1,3}(?:[.,]\d{3})+", written) or written.count(".") + written.count(",") > 1:
        return float(re.sub(r"[.,]", "", written))
    return float(written.replace(",", "."))


def _nth(written: str) -> int:
    figures = re.match(r"\d+", written)
    return (
        int(figures.group())
        if figures
        else 1 + next(n for n, form in enumerate(_NTHS) if written.startswith(form)) // 2
    )


def _dated(match: re.Match[str], _: date | None) -> list[tuple[str, Value]]:
    """A date of a day and a month, or of a month alone, with its year if it has one."""
    found, month = match.groupdict(), _MONTHS[match["month"]]
    day = found.get("day") or found.get("after")
    last = 31 if (found.get("part") or "") == "last" and "last day" in match.group() else 0
    told: list[tuple[str, Value]] = [("date", (month, _nth(day) if day else last))]
    return told + ([("year", int(match["year"]))] if match["year"] else [])


def _slashed(match: re.Match[str], _: date | None) -> list[tuple[str, Value]]:
    year = int(match[3]) + (0 if len(match[3]) == 4 else 1900 if int(match[3]) > 40 else 2000)
    return [("date", (int(match[2]), int(match[1]))), ("year", year)]


def _shifted(match: re.Match[str], said: date | None) -> list[tuple[str, Value]]:
    day = said + timedelta(days=_SHIFTS[match[1]]) if said else None
    return [("date", (day.month, day.day))] if day else []


def _clock(match: re.Match[str], _: date | None) -> list[tuple[str, Value]]:
    """An hour with its minutes, or with a quarter or the like before or after it."""
    found = match.groupdict()
    hour = _plain(match["hour"])
    if hour > 24:
        return []
    part, sign = found.get("part"), found.get("sign") or ""
    minutes = float(found.get("minutes") or 0) + (_PARTS[part] if part else 0) * (
        -1 if sign in ("to", "menos") else 1
    )
    half = found.get("half")
    hour += 12 if half == "p" and hour < 12 else -12 if half == "a" and hour == 12 else 0
    return [("clock", 60 * hour + minutes)]


def _amount(match: re.Match[str], _: date | None) -> list[tuple[str, Value]]:
    """A number with its unit, if it has one."""
    value = _plain(match["number"]) * _TIMES.get(match["times"] or "", 1)
    if match["sign"]:
        return [("money", value)]
    for pattern, kind, factor in _UNIT:
        if pattern.match(match.string, match.end("times") if match["times"] else match.end("number")):
            return [
                ("celsius", round((value - 32) / 1.8, 6))
                if kind == "fahrenheit"
                else (kind, round(value * factor, 6))
            ]
    return [] if match["number"] in _ARTICLES and not match["times"] else [("number", value)]


_TEN = _any(form for form in _forms(_TENS, 2) if WORDS[form] < 100)
_ONE = _any(form for line in _ONES for form, n in _forms(line).items() if 0 < n < 10)
_NUMBER = (
    rf"(?:\d+(?:[.,]\d+)*(?!\d|st\b|nd\b|rd\b|th\b)|\b(?:{_TEN})(?:-| y )(?:{_ONE})\b|\b(?:{_any(WORDS)})\b)"
)
_WHICH = rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)|(?:{_any(_NTHS)})[aoe]?)\b"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_OF = r"(?:of |de |del )?"
_HALF = r"(?: ?(?P<half>[ap])\.?m\b)"
_MENOS = r"(?: (?P<sign>y|menos) (?P<part>media|cuarto|diez|veinte|cinco))?"

_READERS: tuple[tuple[str, Callable[[re.Match[str], date | None], list[tuple[str, Value]]]], ...] = (
        (r"\b(\d{1,2})/(\d{1,2})/(\d{2,4})\b", _slashed),
        (rf"\b(?P<day>\d{{1,2}}(?:st|nd|rd|th)?|{_WHICH}) {_OF}(?P<month>{_any(_MONTHS)})\b(?:,? {_OF}{_YEAR})?", _dated),
        (rf"\b(?P<month>{_any(_MONTHS)}) (?:the )?(?P<after>\d{{1,2}})(?:st|nd|rd|th)?(?!\d|:)\b(?:,? {_YEAR})?", _dated),
        (r"\b(pasado manana|day after tomorrow|tomorrow|(?<!la )(?<!de )manana(?! por)|yesterday|ayer|today|hoy)\b(?! \w+ de)", _shifted),
        (rf"\b(?:(?P<part>first|last|mid|end|start|beginning|primer|ultimo|finales|principios|mediados)[ -](?:\w+ ){{0,2}}?)?{_OF}(?P<month>{_any(_MONTHS.keys() - {'mar', 'sep'})})\b(?<!(?<!in )(?<!of )may)(?: {_OF}{_YEAR}\b)?", _dated),
        (r"\b(?:(?:on|by|until) the |el (?:dia )?)(\d{1,2})(?:st|nd|rd|th|(?=\W*\Z|, ))", lambda match, _: [("date", (0, int(match[1])))]),
        (rf"\b(?P<part>quarter|half|ten|twenty|five) (?P<sign>past|to) (?P<hour>{_NUMBER})", _clock),
        (rf"\b(?P<hour>\d{{1,2}}):(?P<minutes>\d{{2}})\b{_HALF}?", _clock),
        (rf"\b(?P<hour>\d{{1,2}}){_HALF}", _clock),
        (r"\b(?P<half>noon|midday|mediodia|(?P<night>midnight|medianoche))\b", lambda match, _: [("clock", 0 if match["night"] else 720)]),
        (rf"\b(?:las?|at|before|by) (?P<hour>{_NUMBER}){_MENOS}(?! ?(?:[\w%€$£°]|, ?[\dcf])|[.,]\d)", _clock),
        (rf"\blas (?P<hour>{_NUMBER}){_MENOS}(?= de la|\b)(?! \w+s\b)", _clock),
        (rf"\b{_YEAR}\b(?!\s?(?:€|euro|peso|dolar|dollar|:))", lambda match, _: [("year", int(match[1]))]),
        (rf"(?<!los )\b({_any(_DAYS)})\b", lambda match, _: [("weekday", _DAYS[match[1]])]),
        (rf"(?P<sign>[€$£]\s?)?(?P<number>{_NUMBER})(?:(?:\s| and )?(?P<times>{_any(_TIMES)})\b(?! ?m\b))?(?:{'|'.join(pattern.pattern for pattern, _, _ in _UNIT)})?", _amount),
        (rf"({_WHICH})", lambda match, _: [("ordinal", _nth(match[1]))]),
)  # fmt: skip


def quantities(folded: str, said: date | None = None, *, spanish: bool = False) -> list[Quantity]:
    """The quantities of a note in the order of their places; `said` is the day from which "tomorrow" counts."""
    found: list[Quantity] = []
    text = folded if spanish else re.sub(r"\bonce\b", "0nce", folded)
    for pattern, reader in _READERS:
        for match in re.finditer(pattern, text):
            half = bool(match.groupdict().get("half"))
            told = [Quantity(kind, value, *match.span(), half) for kind, value in reader(match, said)]
            found += told
            if told:
                text = text[: match.start()] + "\0" * len(match.group()) + text[match.end() :]
    return sorted(found, key=lambda each: each.start)


def agree(one: Quantity, other: Quantity) -> bool:
    """Whether two quantities may be the same: of a kind, or one of them bare, and equal."""
    mine, theirs = one.value, other.value
    if isinstance(mine, tuple) or isinstance(theirs, tuple):
        pairs = (
            zip(mine, theirs, strict=True) if isinstance(mine, tuple) and isinstance(theirs, tuple) else ()
        )
        return one.kind == other.kind and all(left == right or not left or not right for left, right in pairs)
    kinds = {one.kind, other.kind}
    if kinds == {"clock"}:
        known = (one.half or mine >= _AFTERNOON) and (other.half or theirs >= _AFTERNOON)
        return (mine - theirs) % (_NOON * 2 if known else _NOON) == 0
    if kinds == {"number", "clock"}:
        bare, clock = (mine, theirs) if one.kind == "number" else (theirs, mine)
        return bare <= _HOURS and (clock - bare * 60) % _NOON == 0
    # in another unit a length or a temperature is rounded: 10 miles are 16 km
    near = _ROUNDED * abs(mine) if kinds <= {"length", "celsius"} else 0
    if kinds == {"span"} and _months_and_days(mine, theirs):
        longer = max(mine, theirs)
        near = longer * (_ABOUT if longer <= _FEW_MONTHS else _ALMOST)
    return abs(mine - theirs) <= near and (len(kinds) == 1 or not kinds.isdisjoint(("number", "ordinal")))


def _months_and_days(one: float, other: float) -> bool:
    """Whether of two spans one was told in months or years, the other in weeks or days."""
    months = [each % _MONTH == 0 for each in (one, other)]
    return (
        any(months)
        and not all(months)
        and all(each % _MONTH == 0 or each % _DAY == 0 for each in (one, other))
    )
