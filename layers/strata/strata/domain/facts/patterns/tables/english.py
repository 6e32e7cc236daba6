"""Patterns of facts in English."""

from strata.domain.facts.patterns.names import given_name, proper_name
from strata.domain.facts.patterns.places import language, place
from strata.domain.facts.patterns.roles import field_of_work, trade, work
from strata.domain.facts.patterns.tables.language import AM, HOW_EN, I_HAVE
from strata.domain.facts.patterns.tables.rule import Line, rules
from strata.domain.facts.patterns.values import order, things, tool

_CALLED = "Is called {}"
_WORKS = "Works as {}"
_DOES = "Says of their work: {}"
_LIVES = "Lives in {}"
_FROM = "Comes from {}"
_LIKES = "Likes {}"
_PREFERS = "Prefers {}"
_USES = "Uses {}"
_WANTS = "Wants in every answer: {}"
_DISLIKES = "Dislikes {}"
_AVOIDS = "Avoids {}"
_WANTS_NO = "Wants in no answer: {}"
_CONTACT = "Wants to be answered in {}"
_CHANNEL = "Wants to be contacted by {}"

_BUSINESS = (
    r"(?:bakery|shop|store|cafe|restaurant|business|company|agency|studio|farm|bar|pub|salon|clinic|hotel|hostel|practice"
    r"|school|nursery|garage|workshop|gym|charity|startup|firm|team|department|lab|truck|guesthouse|press|brewery|bookshop"
    r"|bookstore|vineyard|gallery|kitchen|office|laundry|dairy|ranch|theatre|theater|library|choir|group|branch|unit|ward"
    r"|programme|program|service|newsletter|kindergarten|daycare|warehouse|fleet|b&b|foundation|consultancy|dojo|stables)"
)
_CHANNELS = (
    r"(?:e-?mail|text message|text|sms|whatsapp|telegram|signal|slack|(?:ms )?teams|phone|discord|post|letter|dm|messenger"
    r"|imessage|video call|skype|zoom|voice message|landline|mobile)"
)
_TALK = (
    r"(?:answer|reply|respond|write|speak|talk|communicate|chat|continue|message|explain things|write back)"
)
_ASK = (
    r"(?:please |can you |could you |would you |will you |can we |could we |you can |you could |you may |feel free to "
    r"|i(?:'d| would) (?:like|prefer|love) (?:it )?(?:for )?(?:if )?you (?:to )?|i want you to |i need you to |let's |always |only "
    r"|from now on,? |kindly |better |just |do |to |go ahead and |also |henceforth ){0,4}"
)
_GIVE = (
    r"(?:give|show|send|write|use|put|format|keep|make|start|end|include|add|quote|express|list|convert|cite|present"
    r"|return|stick to|default to|round|spell|sort|display|order|explain|assume|lead with|provide)(?: me| us)?(?: all)?"
)
_SPICE = (
    r"(?:big |huge |massive |great |real |total |lifelong |avid |die-?hard |enormous |keen |bit of a ){0,2}"
)
_CODE = (
    r"(?:python|rust|go|golang|java|javascript|typescript|kotlin|swift|ruby|php|scala|haskell|c\+\+|c#|c|r|julia|perl"
    r"|elixir|clojure|fortran|cobol|lua|matlab|ocaml|erlang|dart|zig|vba|latex|markdown|vim|emacs|neovim|figma)"
)
_SYSTEMS = (
    r"(?:fedora|arch(?: linux)?|ubuntu|debian|linux(?: mint)?|mint|mac ?os|a mac|windows(?: \d\d?)?|nixos|android|ios"
    r"|an iphone|opensuse|freebsd|gentoo|manjaro|pop!?_os|chrome ?os)"
)

_TABLE: tuple[Line, ...] = (
    # --- names ---
    ("name", r"(?:my|the) (?:full |real |first |given |actual |legal |birth )?name(?:'s| is|s) (?:actually |now |really |spelled |spelt )?", given_name, _CALLED),
    ("name", r"name'?s (?=[a-z])", proper_name, _CALLED, "marked"),
    ("name", rf"{AM} (?:called|named) ", given_name, _CALLED),
    ("name", r"(?:(?:you|u) (?:can|may|could|should) |(?:can|could|would|will) you (?:please )?|please |feel free to |i'd like you to |to |do |always )?(?:just |simply )?call me ", given_name, _CALLED, "request"),
    ("name", r"(?:everyone|everybody|people|friends|my friends|most people|they|folks|most folks)(?: at home| at work| here| else)?(?: all| just| usually)? calls? me ", given_name, _CALLED),
    ("name", rf"i {HOW_EN}(?:prefer to )?go by (?:the name )?", proper_name, _CALLED),
    ("name", r"i(?:'d| would)? (?:prefer|rather|like|want|love)(?: to)? (?:be|being) (?:called|addressed as) ", given_name, _CALLED),
    ("name", rf"{AM} ", proper_name, _CALLED),
    ("name", r"(?:it'?s|this is) (?=[a-z'-]{2,20}(?: [a-z'-]{2,20}){0,2} (?:here|again|speaking)\b)", proper_name, _CALLED),
    ("name", r"this is (?=[a-z'-]{2,20}(?: [a-z'-]{2,20})?,? from )", proper_name, _CALLED, "marked"),
    ("name", r"(?P<v>[a-z][a-z'-]{1,20}(?: [a-z][a-z'-]{1,20}){0,2}) here(?: again)?(?=,|$| from\b| and i\b| -|;|:| \(| with\b| in\b)", proper_name, _CALLED, "marked"),
    ("name", r"it'?s (?=[a-z'-]{2,20},? (?:with (?:an? |two |one |double |no )|spelled|spelt|without (?:an? |the )))", proper_name, _CALLED),
    ("name", r"(?:quick )?(?:intro|introduction|introducing myself|about me)[^:\n]{0,60}: ", proper_name, _CALLED),
    ("name", r"it'?s (?=(?P<first>[a-z]{3})[a-z'-]{0,18},? not (?P=first)[a-z'-]{0,18}(?:$|,| ))", proper_name, _CALLED),
    # --- roles ---
    ("role", rf"{AM} {HOW_EN}(?!not\b|never\b|no\b|your\b|his\b|her\b|their\b|our\b|my\b|like\b|such\b|[a-z]{{2,12}}ing (?:an?|the|some)\b)", trade, _WORKS),
    ("role", r"(?:speaking )?as an? (?![^,.\n]{1,60}?,? (?:you|would you|can you|do you|could you|what would you)\b)", trade, _WORKS, "marked"),
    ("role", r"(?:i|we) (?:currently |now |also |actually |mostly )?work (?:[a-z-]{1,12} ){0,3}as (?:an? )?", work, _WORKS),
    ("role", rf"(?:{AM} (?:currently |now )?|{I_HAVE} been )(?:working|freelancing|employed|training|apprenticing|volunteering) as (?:an? )?", work, _WORKS),
    ("role", r"i (?:freelance|volunteer|moonlight|serve|train|contract) as (?:an? )?", work, _WORKS),
    ("role", r"i (?:currently |now |actually |still |also |both )?work (?:full[ -]time |part[ -]time |nights? |weekends |remotely |mostly |days |shifts |early |late |from home ){0,3}(?:at|for) (?:(?=the |an? ))?", work, "Works at {}"),
    ("role", r"i (?:currently |now |actually |still |also )?work (?:full[ -]time |part[ -]time |nights |weekends |remotely |mostly ){0,2}in ", field_of_work, "Works in {}"),
    ("role", rf"{I_HAVE} (?:been working|worked) (?:at|for) (?=[^,.\n]{{2,60}} (?:for (?:over |about |almost |nearly |the past )?[a-z0-9]+ (?:years|months|decades)|since)\b)", work, "Works at {}"),
    ("role", r"i (?:currently |also |mainly |mostly |actually )?(?P<v>teach) (?!you\b|him\b|her\b|them\b|my\b|myself\b|it\b|this\b|people how)", work, _DOES),
    ("role", rf"(?:i|we) (?:currently |also |actually |now )?(?P<v>(?:run|own|manage|lead|head|head up|co-own)) (?:an?|my own|our|the|my) (?=(?:[a-z-]{{1,15}} ){{0,4}}{_BUSINESS}\b)", work, _DOES),
    ("role", r"i (?P<v>drive) (?:an? |the )?(?=(?:[a-z-]{1,12} ){0,2}(?:taxi|bus|lorry|truck|cab|tram|train|forklift|ambulance|van|coach|hgv|uber)\b)", work, _DOES),
    ("role", r"i do (?:the )?(?=(?:payroll|bookkeeping|accounts|accounting|support|tech support|it support|customer support|sales|marketing|hr|research|data entry|customer service|security|qa|translations?|admin|logistics|pr|procurement|graphic design|web design) (?:for|at|in)\b)", work, "Does {}"),
    ("role", rf"(?:i |{AM} )(?:currently |also )?(?P<v>study(?:ing)?) (?!when\b|while\b|from\b|alone\b|abroad\b|online\b|best\b|because\b|for\b|to\b|at night|every\b|the\b|how\b|this\b|it\b|hard\b|with\b|in the\b|that\b|all\b)", work, _DOES),
    ("role", rf"(?:i (?:major|majored)|{AM} majoring) in ", work, "Studies {}"),
    ("role", rf"{AM} (?:currently |now )?(?:doing|finishing|starting|writing up|halfway through|in the middle of|working on|pursuing) (?:my|an?) (?=(?:phd|ph\.d|master'?s|masters|mba|bachelor'?s|doctorate|apprenticeship|residency|postdoc|internship|degree|traineeship)\b)", work, "Does {}"),
    ("role", rf"{AM} in (?:my |the )?(?=(?:first|second|third|fourth|fifth|final|last|1st|2nd|3rd|4th) year (?:of|at|studying)\b)", work, "Is in {}"),
    ("role", rf"{AM} (?:a |now |recently |newly |happily |semi-?){{0,2}}(?P<v>retired)\b(?! to\b)", work, "Is {}"),
    ("role", rf"{AM} (?P<v>self-employed|between jobs)\b", None, "Is {}"),
    ("role", rf"{AM} (?:the )?(?=(?:head|director|vp|lead|chair|deputy head|president|secretary|treasurer) of (?!(?:the )?(?:line|queue|state|england))[a-z])", work, _WORKS),
    ("role", rf"{AM} in charge of (?=(?:the )?(?:[a-z-]{{1,15}} ){{0,3}}(?:team|department|at|for|logistics|hr|marketing|sales|purchasing|procurement)\b)", work, "Is in charge of {}"),
    ("role", r"(?:my (?:day |main |current )?(?:job|profession|occupation|trade|line of work) is|i (?:make|earn) (?:a|my) living (?:as|by)|by (?:trade|profession|day),? i'?m) (?:being |working as )?(?:an? )?", trade, _WORKS),
    ("role", rf"(?:i|{I_HAVE}) just (?:started|got hired|got promoted|began|been hired|been promoted)(?: working| work| a job)? (?:as|to) ", trade, _WORKS),
    ("role", r"(?P<v>[a-z][a-z-]{1,20}(?: [a-z][a-z-]{1,20}){0,3}) here(?=,|$| -|;|:| \(| and\b)", trade, _WORKS, "marked"),
    ("role", rf"{AM} (?:training|studying|learning|retraining) to (?:be|become) ", trade, "Is training to be {}"),
    ("role", r"i (?P<v>[a-z]{3,12} [a-z ]{3,40}?) for a living\b", None, _DOES),
    ("role", rf"{I_HAVE} been (?=an? [^,.\n]{{2,50}} (?:for|since)\b)", trade, _WORKS),
    ("role", r"(?:i (?:just |recently )?|i've just |i have just |i've )(?P<v>retired) from ", work, "Is {}"),
    ("role", r"my (?:day|current|main) job is ", work, _WORKS),
    ("role", r"being an? ", trade, _WORKS, "marked"),
    # --- places ---
    ("place", rf"(?:i|we) {HOW_EN}(?:live|reside) (?:alone |here |out |over |up |down |just |right |with [a-z' ]{{2,25}}? ){{0,2}}(?=(?:in|at|on|near|outside|close|by|between|around|just|not far|north|south|east|west)\b)", place, _LIVES),
    ("place", rf"(?:{AM} (?:currently |now |still )?|{I_HAVE} been )(?:living|residing) (?:alone |here |out |with [a-z' ]{{2,25}}? )?(?=(?:in|near|outside|just|close|on)\b)", place, _LIVES),
    ("place", rf"{I_HAVE} (?:always )?lived (?=(?:in|near|outside)\b[^.\n]{{2,60}}?\b(?:for|since|all my|my whole|ever since)\b)", place, _LIVES),
    ("place", rf"{AM} (?:currently |now |mostly )?(?:based|settled) (?:here )?(?=(?:in|out of|near|outside|just)\b)", place, _LIVES),
    ("place", r"based (?=(?:in|out of|near) )", place, _LIVES, "marked"),
    ("place", r"(?:currently )?living (?=in )", place, _LIVES, "marked"),
    ("place", rf"{AM} (?:originally |actually |also |both |all )?from ", place, _FROM),
    ("place", r"originally from |from (?=[a-z' ]{3,30} originally\b)", place, _FROM, "marked"),
    ("place", r"i (?:originally |actually )?(?:come|hail) (?:originally )?from ", place, _FROM),
    ("place", r"i was (?:born|raised|born and raised|born and bred|brought up) (?:and raised |and grew up )?in ", place, _FROM),
    ("place", r"(?:born and raised|born|raised|grew up) in ", place, _FROM, "marked"),
    ("place", r"i grew up (?=(?:in|near|on|outside)\b)", place, _FROM),
    ("place", r"(?:i|we) (?:just |recently |finally |have just )?(?:moved|relocated|emigrated|immigrated)(?: back| over| out| down| up| here)?(?: from [a-z' ]{2,30}?)? to ", place, _LIVES),
    ("place", rf"{I_HAVE} (?:just |recently |finally )?(?:moved|relocated|settled)(?: back| over| out| down| up| here)?(?: from [a-z' ]{{2,30}}?)? (?:to|in) ", place, _LIVES),
    ("place", r"my home ?(?:town|city)?(?: is|'s) (?:in )?", place, _FROM),
    ("place", r"i call (?=[a-z' ]{3,30} home\b)", place, _LIVES),
    ("place", r"(?:[^.\n]{0,200}?\b)(?:from|in) (?P<v>[a-z' ]{3,30}?),? (?:which is )?where (?:i|we) (?:live|work)\b", place, _LIVES, "marked"),
    ("place", r"i (?:currently |now |also |mostly )?work (?:remotely |mostly |part[ -]time |full[ -]time )?(?:in|near|out of) (?=(?:downtown |central )?[a-z])", place, "Works in {}"),
    ("place", r"i (?:teach|practi[cs]e) in ", place, "Works in {}"),
    ("place", rf"{AM} (?:currently )?an? (?:[a-z]{{2,12}} )?(?:expat|immigrant|foreigner|resident|local|newcomer|migrant) (?:living |here )?(?=in )", place, _LIVES),
    ("place", r"home (?:is|for me is|has been) (?:now |currently )?", place, _LIVES),
    ("place", r"where (?:i|we) live,? \(?(?=(?:in|near) )", place, _LIVES),
    ("place", r"born and bred in ", place, _FROM, "marked"),
    # --- preferences ---
    ("preference", rf"(?:i|we) {HOW_EN}(?:love|like|enjoy|adore|cherish|dig) ", things(5), _LIKES),
    ("preference", rf"i {HOW_EN}prefer (?:to (?:use|have|get|drink|eat|read|write in|work with|work in|see) )?", things(5, frozenset(("over", "to", "on", "for"))), _PREFERS),
    ("preference", r"i(?:'d| would)(?: much| always)? (?:rather|prefer to|prefer) (?:have |get |see |use |read )", things(5, frozenset(("over", "to"))), _PREFERS, "standing"),
    ("preference", rf"i {HOW_EN}(?:love|like|enjoy|prefer) to (?P<v>(?:cook|read|write|travel|hike|swim|play|watch|listen|garden|draw|paint|bake|dance|sing|climb|knit|fish|camp|sew|cycle|ski|surf)\b)", things(5), _LIKES),
    ("preference", rf"{AM} {HOW_EN}(?:an? )?{_SPICE}(?:fan|lover|admirer) of ", things(5), _LIKES),
    ("preference", rf"{_SPICE}fan of ", things(5), _LIKES, "marked"),
    ("preference", rf"{AM} {HOW_EN}(?:very |so |super |big |way )?(?:into|fond of|partial to|crazy about|mad about|nuts about|obsessed with|keen on|hooked on|addicted to|passionate about|a sucker for|big on) ", things(5), _LIKES),
    ("preference", rf"{AM} {HOW_EN}(?:more of )?an? (?:big |huge |total |real |avid |die-?hard )?(?P<v>[a-z][a-z-]{{2,20}}(?: [a-z][a-z-]{{2,20}})?) (?:lover|enthusiast|buff|aficionado|fanatic|fan(?! of)|addict|nut|junkie|geek|nerd)\b", None, _LIKES),
    ("preference", rf"{AM} {HOW_EN}(?:more of )?an? (?P<v>tea|coffee|cat|dog|wine|beer|vim|emacs|mac|linux|windows|android|iphone|beach|mountain|savou?ry|firefox) (?:person|guy|girl|user|drinker|gal|man|woman)\b", None, _LIKES),
    ("preference", r"my (?:all[- ]time |absolute |personal |current )?favou?rites? (?:[a-z-]{1,20} ){0,4}?(?:is|are|has always been|have always been|would be|will always be|has to be) (?:probably |definitely |still |always )?", things(5), _LIKES),
    ("preference", r"(?:nothing beats|i (?:just )?can'?t get enough of|i live for|i (?:could|can)(?:'t|not) live without|i swear by|i'm all about|i always go for|i always choose|i always pick) ", things(5), _LIKES),
    ("preference", rf"(?:i|we|i'm always using) (?!used\b){HOW_EN}use ", tool, _USES),
    ("preference", rf"(?:{AM} (?:still |always |usually )?(?:on|running)|i (?:still |always |only |mostly )?run) (?P<v>{_SYSTEMS})\b", None, _USES),
    ("preference", rf"(?:i|we) {HOW_EN}(?:write|code|program|work|develop)(?: (?:everything|all my code|my code|it all|all|mostly|mainly|only))? (?:in|with) (?P<v>{_CODE})(?![a-z])", None, _USES),
    ("preference", rf"(?:always|by default|as a rule) (?:please )?{_GIVE} ", order, _WANTS, "request"),
    ("preference", rf"(?:from now on|going forward|from here on(?: out| in)?|in future|in the future|henceforth|as a general rule|in general),?(?: please| just| only| always)* {_GIVE} ", order, _WANTS, "request"),
    ("preference", rf"(?:can you |could you |would you |i want you to |i'd like you to )?(?:please )?(?:always )?{_GIVE} ", order, _WANTS, "request standing"),
    ("preference", r"i (?:always |really |generally |usually )?(?:want|need|like|prefer) (?:all )?(?:of )?(?:my|your) (?=(?:answers|replies|responses|explanations|code|examples|summaries|recipes) )", order, _WANTS),
    ("preference", r"(?P<v>[a-z][a-z -]{2,40}?),? (?:please|pls)?,? ?always$", None, _WANTS, "marked"),
    ("preference", r"i (?:only|always|only ever|mostly|usually|mainly) (?:drink|listen to|wear|cook with) ", things(4), _LIKES),
    ("preference", r"i do (?:everything|all my [a-z]+|most things) (?:in|with|on) ", tool, _USES),
    ("preference", r"i (?:can'?t|cannot|couldn'?t) (?:function|live|cope|work|survive|start (?:the|my) day) without ", things(4), _LIKES),
    ("preference", r"(?:big |huge |massive )?(?P<v>[a-z][a-z-]{2,20}(?: [a-z][a-z-]{2,20})?) (?:fan|lover|enthusiast|user) here\b", None, _LIKES, "marked"),
    ("preference", r"i(?:'d| would|'ll| will)(?: always)? (?:choose|pick|take) (?=[^,.\n]{2,40} over )", things(4, frozenset(("over",))), _PREFERS),
    ("preference", r"my (?:go-to|default|preferred) (?!option|language|way|channel|name)(?:[a-z-]{1,20} ){0,3}(?:is|are) ", things(4), _PREFERS),
    ("preference", r"i (?:learn|understand things|take things in|remember things) best (?:with|from|through) ", things(4), _PREFERS),
    ("preference", r"i have a (?:soft spot|thing|weakness|passion) for ", things(4), _LIKES),
    ("preference", r"(?:my (?:main |biggest |great |big )?(?:hobby|hobbies|passion|passions) (?:is|are)) ", things(4), _LIKES),
    # --- dislikes ---
    ("dislike", rf"(?:i|we) {HOW_EN}(?:hate|detest|loathe|despise|dislike|abhor) ", things(5), _DISLIKES),
    ("dislike", rf"i {HOW_EN}(?:can'?t|cannot|can not|could never) (?:really |even |ever )?(?:stand|bear|abide|tolerate|stomach|do with) (?:the (?:taste|smell|sight|texture|sound) of )?", things(5), _DISLIKES),
    ("dislike", rf"i {HOW_EN}(?:don'?t|do not) (?:really |particularly |even |actually |ever |much ){{0,2}}(?:like|enjoy|care for|touch|fancy|do) (?:the (?:taste|smell|texture) of )?", things(4), _DISLIKES),
    ("dislike", rf"(?:i|we) {HOW_EN}(?:don'?t|do not|never|won'?t) (?:really |ever |even )?(?:eat|drink) (?!out\b|breakfast|lunch|dinner|anything|there\b|properly)", things(4), _AVOIDS),
    ("dislike", rf"i {HOW_EN}(?:can'?t|cannot|can not|must not|mustn'?t|shouldn'?t|never|am not allowed to|'m not allowed to) (?:really |ever )?(?:eat|have|drink|touch|digest) (?!a look|out\b|breakfast|lunch|dinner|had\b)", things(4), _AVOIDS),
    ("dislike", rf"{AM} (?:also |both |all )?(?:severely |highly |really |very |deathly |terribly |quite |slightly |mildly |badly |seriously |extremely )?(?:allergic|intolerant|sensitive|averse) to (?!criticism|light\b|noise\b)", things(4), _AVOIDS),
    ("dislike", r"(?:also |severely |badly |very )?(?:allergic|intolerant) to ", things(4), _AVOIDS, "marked"),
    ("dislike", rf"(?:i (?:also )?have|{I_HAVE} got|i got) (?:an? )?(?:severe |bad |mild |serious |nasty |slight )?(?P<v>[a-z]{{3,15}}(?: [a-z]{{3,12}})?) (?:allergy|intolerance)\b", None, _AVOIDS),
    ("dislike", rf"(?:i (?:also )?have|{I_HAVE} got) (?:an? )?(?:severe |bad |mild |serious )?(?:allergy|intolerance|aversion) to ", things(4), _AVOIDS),
    ("dislike", rf"{AM} (?:a bit |very |really |quite )?(?P<v>lactose|gluten|fructose|histamine|nut|peanut|egg|soy|dairy|wheat)[ -](?:intolerant|allergic|free)\b", None, _AVOIDS),
    ("dislike", rf"{AM} (?:really |definitely |just |honestly )?not (?:really |exactly |at all |too |very |particularly )?(?:an? |much of an? )?{_SPICE}(?:fan of|into|keen on|fond of|crazy about|one for) ", things(5), _DISLIKES),
    ("dislike", rf"not an? {_SPICE}fan of ", things(5), _DISLIKES, "marked"),
    ("dislike", rf"(?:i|we) {HOW_EN}(?:like|love|enjoy|fancy) neither ", things(4), _DISLIKES),
    ("dislike", rf"(?:i|we) {HOW_EN}(?:eat|drink|touch) neither ", things(4), _AVOIDS),
    ("dislike", rf"i {HOW_EN}(?:try to )?(?:avoid|stay away from|steer clear of|keep away from|stay off|refuse to (?:eat|use|touch)) ", things(4), _AVOIDS),
    ("dislike", r"(?:anything with |all |any )?(?P<v>[a-z][a-z-]{2,20}(?: [a-z][a-z-]{2,20}){0,2}) (?:is|are) (?:out(?: of the question)?|a no-go|off the table|off limits|off the menu|a no for me|a hard no)(?: for me)?(?=$|,| and\b)", None, _AVOIDS),
    ("dislike", r"(?P<v>[a-z][a-z-]{2,20}(?: [a-z][a-z-]{2,20})?) (?:always )?(?:makes? me (?:sick|ill|gag|nauseous|sneeze|break out|throw up)|gives? me (?:hives|heartburn|migraines|a rash|rashes)|(?:doesn'?t|don'?t) agree with me|disagrees? with me)\b", None, _AVOIDS),
    ("dislike", r"[^.\n]{0,200}?\b(?:no|without|hold the|skip the|minus the|leave out the|leave out|leave the|skip|hold|omit) (?P<v>[a-z][a-z-]{2,20}(?: [a-z][a-z-]{2,20})?)(?: please| out)?(?:,|;| -| because| since| as| cos)? ?i (?:really |absolutely |just )?(?:hate|detest|loathe|can'?t stand|don'?t like|dislike|can'?t eat|can'?t have|'m allergic to|am allergic to) (?:them|it|those|that)\b", None, _DISLIKES, "marked"),
    ("dislike", r"(?:please |pls )?(?:never|don'?t ever|do not ever) (?:ever |again )?(?:use|put|add|include|write|give me|send me|suggest|recommend|show me|start with|end with|serve me|offer me|insert|say|mention) ", order, _WANTS_NO, "request"),
    ("dislike", r"(?:please |pls )?(?:don'?t|do not) (?:use|put|add|include|write|give me|send me|suggest|recommend|show me|start with|end with|insert) ", order, _WANTS_NO, "request standing"),
    ("dislike", r"(?:please |pls |can you |could you )?(?:stop|quit) (?:using|adding|putting|sending me|giving me|suggesting|recommending|with|writing|including|inserting) ", order, _WANTS_NO, "request"),
    ("dislike", r"(?:please |pls )?no (?:more )?(?P<v>[a-z][a-z-]{2,20}(?: [a-z][a-z-]{2,20})?),? (?:please |pls )?(?:ever|from now on|in your (?:answers|replies|responses|messages)|in any (?:answer|reply)|going forward)\b", None, _WANTS_NO),
    ("dislike", rf"(?:{AM} (?:an? )?|i have |{I_HAVE} got )(?:coeliac|celiac)\b[^.\n]{{0,120}}?\b(?P<v>gluten)\b", None, _AVOIDS),
    ("dislike", r"i never want to see (?:an?other |an? |any more )?", things(4), _DISLIKES),
    ("dislike", r"i (?:can|could) (?:happily |gladly )?do without ", things(4), _DISLIKES),
    ("dislike", rf"{I_HAVE} (?:given up|gone off|cut out|sworn off|stopped eating|stopped drinking) ", things(4), _AVOIDS),
    ("dislike", r"i (?:gave up|cut out|swore off|stopped eating|stopped drinking) (?!on\b|trying)", things(4), _AVOIDS),
    ("dislike", r"i get (?:sick|ill|hives|migraines|headaches|a rash|heartburn) from ", things(4), _AVOIDS),
    ("dislike", r"(?P<v>[a-z][a-z-]{2,20}(?: [a-z][a-z-]{2,20})?) (?:is|are) (?:really |just |definitely )?(?:not my thing|not for me|not my cup of tea)\b", None, _DISLIKES),
    ("dislike", r"(?P<v>[a-z][a-z-]{2,20}(?: [a-z][a-z-]{2,20})?) (?:isn'?t|aren'?t) (?:really )?(?:my thing|for me|my cup of tea)\b", None, _DISLIKES),
    # --- languages and channels ---
    ("contact_language", rf"{_ASK}{_TALK}(?: to| back| with)?(?: to)?(?: me| us)?(?: always| only| everything| from now on| back)* in ", language, _CONTACT, "request standing"),
    ("contact_language", r"(?:please )?(?:only |always )?in (?=[a-z]+(?:,? (?:please|pls|only|from|always|going|for|whenever)|$))", language, _CONTACT, "standing"),
    ("contact_language", rf"(?:{_ASK}(?:switch|change|stick|keep) (?:over )?to )", language, _CONTACT, "request standing"),
    ("contact_language", r"(?:i(?:'d| would)?(?: much| really)? (?:prefer|rather|like)) (?:to (?:speak|talk|write|chat|be answered|communicate|read|be addressed|get answers)|speaking|talking|writing|chatting|reading|answers|replies|communicating|your answers|your replies|(?:if|that|it if) (?:you|we) (?:always )?(?:wrote|spoke|answered|replied|write|speak|answer|reply|talked|talk)(?: to me| back)?|you (?:wrote|spoke|answered|replied)(?: to me)?|you to (?:write|speak|answer|reply)(?: to me)?) in ", language, _CONTACT),
    ("contact_language", r"i (?:always |much |really |strongly )?prefer (?=[a-z]+(?: (?:over|to|please|for)|$|,))", language, _CONTACT),
    ("contact_language", r"my preferred language is ", language, _CONTACT),
    ("contact_language", rf"{_ASK}(?:contact|reach|message|notify|ping|update|get back to|get in touch with|get hold of|write to|remind|alert|write|reach out to) (?:me|us) (?:[a-z]{{1,12}} ){{0,4}}?(?:by|via|on|over|through|per|using) (?:my )?(?P<v>{_CHANNELS})\b", None, _CHANNEL, "request"),
    ("contact_language", r"(?:please |just |only |better |rather )*(?P<v>e-?mail|text|whatsapp|dm|slack|telegram|phone|ring|call) me(?: (?:instead|rather|not)|,? (?:please,? )?(?:and )?(?:don'?t|do not|never|not) (?:call|text|e-?mail|phone|ring|write|message|use|slack|whatsapp|by|on))\b", None, _CHANNEL, "request"),
    ("contact_language", rf"{_ASK}(?P<v>e-?mail|text|whatsapp|dm|slack|telegram|phone) me\b(?! (?:back|a|an|if you)\b)", None, _CHANNEL, "request standing"),
    ("contact_language", r"(?:please )?(?:don'?t|do not|never) (?:call|text|e-?mail|phone|ring|message)(?: me)?,? (?:just |please |but |only )?(?P<v>e-?mail|text|whatsapp|slack|telegram|phone|call|message|dm)(?: me)?\b", None, _CHANNEL, "request"),
    ("contact_language", rf"i (?:always |much |really |strongly )?prefer (?:to be (?:contacted|reached) (?:by|via|on|through) |being (?:contacted|reached) (?:by|via|on) |contact (?:by|via) |getting (?:an? )?)?(?P<v>{_CHANNELS})s?\b(?! (?:editor|box|colou?r))", None, _CHANNEL),
    ("contact_language", r"i(?:'d| would)(?: much)? (?:rather|prefer)(?: it)?(?: if)? you (?P<v>e-?mailed|texted|called|phoned|messaged|whatsapped|e-?mail|text|call) (?:me\b)?", None, _CHANNEL),
    ("contact_language", rf"(?P<v>{_CHANNELS}) (?:is|works) (?:the )?(?:best|better|easiest)(?: way)?\b", None, _CHANNEL),
    ("contact_language", rf"(?:the )?(?:best|easiest|fastest|quickest) (?:way|place) to (?:reach|contact|get hold of|get) me is (?:by |via |on |through |over )?(?P<v>{_CHANNELS})\b", None, _CHANNEL),
    ("contact_language", rf"(?:only|just) (?P<v>{_CHANNELS})(?: only)?,? (?:please|pls)\b", None, _CHANNEL, "marked request"),
    ("contact_language", rf"i(?:'d| would) (?:rather|prefer to) (?:get|receive|have|be (?:contacted|reached|told)) (?:[a-z]{{1,12}} ){{0,3}}?(?:by|via|on|over|through) (?P<v>{_CHANNELS})\b", None, _CHANNEL),
    ("contact_language", r"(?:please )?(?:just )?(?:drop|shoot|send) me an? (?P<v>e-?mail|text|dm|whatsapp|sms)\b(?=,? (?:instead|when|whenever|rather|don'?t|do not|not|any ?time|if))", None, _CHANNEL, "request"),
    ("contact_language", rf"(?P<v>{_CHANNELS})s? (?:is|are|only) (?:fine|ok|good|great|what i (?:read|check|use)),? (?:but |just |please )*(?:don'?t|never|do not|no|not)\b", None, _CHANNEL),
)  # fmt: skip

ENGLISH = rules(_TABLE)
