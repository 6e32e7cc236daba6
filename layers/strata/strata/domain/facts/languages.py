"""The names of languages, in English and Spanish, folded."""

LANGUAGES = frozenset(
    """
    afrikaans albanian amharic arabic armenian azerbaijani basque belarusian bengali bosnian breton bulgarian burmese
    cantonese castilian catalan chinese corsican croatian czech danish dutch english esperanto estonian faroese farsi
    filipino finnish flemish french frisian gaelic galician georgian german greek guarani gujarati hausa hebrew hindi
    hungarian icelandic igbo indonesian irish italian japanese kannada kazakh khmer korean kurdish lao latin latvian
    lithuanian luxembourgish macedonian malay malayalam maltese mandarin maori marathi mongolian nahuatl nepali norwegian
    occitan pashto persian polish portuguese punjabi quechua romanian russian sardinian serbian sicilian sindhi sinhala
    slovak slovene slovenian somali spanish swahili swedish tagalog tamil tatar telugu thai tibetan turkish ukrainian urdu
    uzbek vietnamese welsh wolof xhosa yiddish yoruba zulu bable
    albanes aleman alemana amarico arabe aragones armenio asturiano aimara aymara azeri bengali bielorruso birmano bosnio
    bulgaro castellano catalan checo chino cingales coreano corso croata danes eslovaco esloveno espanol estonio euskera
    feroes finlandes fines flamenco frances gaelico gales gallego georgiano griego hebreo hindi holandes hungaro
    indonesio ingles irlandes islandes italiano japones kazajo kurdo leton lituano luxemburgues macedonio malayo maltes
    mallorquin mapudungun mongol neerlandes noruego occitano persa polaco portugues quechua rumano ruso serbio sueco
    tailandes tamil turco ucraniano valenciano vasco vietnamita yidis zapoteco
    """.split()  # noqa: SIM905
)
