"""Stop words: words that say nothing about a subject."""

ENGLISH = frozenset(
    """
    a about above after again against ain all also am an and any are aren as at be because been before being
    below between both but by can cannot could couldn d did didn do does doesn doing don down during each
    either else ever few for from further had hadn has hasn have haven having he her here hers herself him
    himself his how however i if in into is isn it its itself just let ll m may me might mightn more most
    much must mustn my myself needn neither no nor not now of off on once only or other our ours ourselves
    out over own per rather re s same shall shan she should shouldn so some such t than that the their
    theirs them themselves then there these they this those through till to too under until up upon us ve
    very was wasn we were weren what whatever when where whether which while who whoever whom whose why will
    with within without won would wouldn yes yet you your yours yourself yourselves
    """.split()  # noqa: SIM905 - a page of words reads better than a page of quotes
)
"""English words that say nothing about a subject, and the pieces that an apostrophe leaves of them."""

SPANISH = frozenset(
    """
    a ahora al algo algun alguna ante antes asi aun aunque bien buenas buenos cada como con cual cuando de
    del desde donde dos e el ella ellas ellos en entre era eran eres es esa ese eso esta estas este esto
    estos estoy fue fueron gracias ha habia hace hacer hago han has hasta hay he hola la las le les lo los
    mas me mi mis muy nada ni no nos nosotros o os otra otro para pero poco por porque prefiero puede
    puedes puedo que quien quiero se ser si sin sobre solo son soy su sus tal tambien tan tengo tiene
    tienes todo todos tu tus un una uno unos va vale vas ver voy y ya yo
    """.split()  # noqa: SIM905
)
"""Spanish words that say nothing about a subject, folded."""

GERMAN = frozenset(
    """
    aber als also am an auch auf aus bei beim bin bis bist da dabei damit dann das dass dein deine deinem
    deinen deiner dem den denn der des dich die dies diese diesem diesen dieser dieses dir doch dort du
    durch ein eine einem einen einer eines er es euch euer eure fur gegen gab gewesen gibt haben habe habt
    hat hatte hatten hattest hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in ins ist ja
    jede jedem jeden jeder jedes jene kann kein keine keinen keiner konnen konnte machen macht man mehr mein
    meine meinem meinen meiner mich mir mit muss mussen nach nein nicht noch nun nur ob oder ohne sehr sein
    seine seinem seinen seiner seit sich sie sind so soll sollen sollte sollten sonst uber um und uns unser
    unsere unserem unseren unserer unter vom von vor wann war waren warst warum was weil welche welchem
    welchen welcher welches wem wen wenn wer werden wessen wie wieso will wir wird wirst wo wofur woher
    wohin wollen worden wurde wurden zu zum zur zwischen
    """.split()  # noqa: SIM905
)
"""German words that say nothing about a subject, folded."""

FILLERS = frozenset(
    """
    able actually already anyway aren't ask asked assistant back bit came can't come cool couldn't didn't
    doesn't don't done ever every find fine found gave get gets getting give go goes going gone good got
    great hasn't haven't he's hello help here hey hi how's i'd i'll i'm i've isn't it's kind knew know let
    let's lets like look looking lot lots made make makes making many maybe mean much need needs new nice
    now ok okay one perfect please prefer prefers put really right said say says see seems she's shouldn't
    show something sorry sounds still sure take tell thank thanks that's there's they're thing things
    think time today tomorrow try trying two use used user using want wanted wants wasn't way we'll we're
    we've well weren't what's where's who's won't work works wouldn't yeah yesterday you'll you're you've
    """.split()  # noqa: SIM905
)
"""English words of conversation that name no subject: polite, vague or very common ones."""
