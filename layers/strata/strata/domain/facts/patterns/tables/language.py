"""Parts of patterns that several tables share. They match folded text; every repetition is bounded."""

import re

from strata.domain.facts.patterns.tables.words import MONTHS_EN, MONTHS_ES

HOW_EN = (
    r"(?:(?:really|absolutely|totally|truly|just|still|also|always|usually|mostly|actually|honestly|currently|now|both"
    r"|only|personally|kinda|generally|normally|typically|particularly|especially|strongly|definitely|definetly|much"
    r"|do|simply|quite|rather|utterly|genuinely|secretly|myself|tend to|mainly|exclusively|already|all|mainly|even"
    r"|obviously|very much|literally|seriously|so|properly|deeply|passionately|pretty much) ){0,3}"
)
HOW_ES = (
    r"(?:(?:mucho|muchisimo|siempre|nunca|solo|solamente|realmente|bastante|mas|tambien|actualmente|ahora|aun|todavia"
    r"|ya|especialmente|sobre todo|normalmente|casi siempre|muy|demasiado|tanto|un monton|particularmente|habitualmente"
    r"|la verdad|personalmente|un montonazo|horrores|a diario|sinceramente) ){0,3}"
)
AM = r"(?:i'?m|i am|we'?re|we are|i are)"
I_HAVE = r"(?:i'?ve|i have|we'?ve|we have)"

YEAR = r"(?:,? ?(?:de |del )?(?:19|20)\d\d\b)?"
_DAY = r"(?:3[01]|[12]\d|0?[1-9])"
_WEEK = (
    r"(?:(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day,? (?:the )?|(?:lunes|martes|miercoles|jueves|viernes"
    r"|sabado|domingo),? (?:el )?)?"
)
DATE = (
    rf"(?:{_WEEK}(?:{_DAY}(?:st|nd|rd|th)?(?: of)? {MONTHS_EN}|{MONTHS_EN} (?:the )?{_DAY}(?:st|nd|rd|th)?\b"
    rf"|(?:dia )?(?:{_DAY}|primero|uno)(?:º|ro)? de {MONTHS_ES}){YEAR}"
    r"|(?:19|20)\d\d-[01]\d-[0-3]\d\b|(?<![\d/.])[0-3]?\d/[01]?\d(?:/(?:19|20)?\d\d)?(?![\d/]))"
)
"""A day of a month, also in figures alone."""
DATE_PATTERN = re.compile(DATE)

LEAD_EN = r"(?:on |by |before |until |till |for |from |is |the |due |around ){0,3}"
LEAD_ES = (
    r"(?:el |para el |antes del |hasta el |desde el |en el |del |al |a partir del |es |proximo |dia ){0,3}"
)
