"""Words and signs of small talk, in which nothing is asked for: greetings, reactions, vague words.

All are folded. English, Spanish and German stand together, since a message seldom says which one it is in.
Everyday words, which do name things, are in `everyday`.
"""

import re

GREETINGS = frozenset(
    """
    adios bienvenida bienvenido bitte bravo buen bye chao cheerio cheers ciao congrats congratulations cya
    danke dankeschon dankesehr dankschon disculpa disculpame disculpe enhorabuena entschuldigung excuse
    felicidades felicitaciones feliz frohe frohes gday gluckwunsch gluckwunsche goodbye goodnight
    gratuliere grax greetings gruezi gruss grusse guten hallo hallochen hello hey heya hi hiya howdy merci
    moin morgen morning pardon perdon perdone pfiat regards saludo saludos servus sorry thank thanks
    thankyou thnx thx tks tschau tschuss tschussi ty tysm vielmals welcome willkommen xmas
    """.split()  # noqa: SIM905 - a page of words reads better than a page of quotes
)
"""Words that speak to somebody: beside them, a name is an address."""

REACTIONS = frozenset(
    """
    ab absolutely acaso ach acuerdo adelante afk ah aha ahi alguien alla almost already amazing anda
    another ans anyway apenas aquel aquella aquello aqui argh asap asdf asdfg asdfgh awesome ay ayer bacan
    bastante beide beiden beides bevor brb brilliant btw cant casi chevere cierto claro conmigo consigo
    contigo continua continue cool correcto couldnt cualquier cualquiera dafur dagegen daher dale damn
    danach dang daran darauf daraus darf darfst darin darn darum dasselbe davon davor dazu demasiado denen
    deren derselbe deshalb despues dessen deswegen dice didnt dieselbe digo dije dnd doesnt dokie dont
    dran drauf drin duh durante durfen durfte eben ebenfalls echt eh eigentlich einmal einverstanden em
    encantada encantado enough entonces erst erstmal esas esos estaba estaban estado estamos estan estar
    estes estupendo etwa etwas even exactamente exacto excellent fantastic fast fine fuera fuese fui furs
    gar genau genial gerade gern gerne gleich go going gonna gotcha gotta gr gr8 great gtg guay hab haber
    habian habra hacia haciendo haga hagas haha hahaha hahahaha hala halt hast hatt haya hayan hayas hecho
    hemos hiciste hizo hm hmm honestly hooray hoppla hoy hubiera hubo huh iba id idk ido igualmente ill
    immer imo indeed instead isnt ive jaja jajaja jajajaja jamas jawohl jemand jep jetzt jkl jo juhu jup k
    kannst keines keins kk klar klasse konnt konntet leider lets lgtm literally lmao lmk lol lovely luego
    mag magst mal manana manchmal maybe mediante meh meinetwegen menos mia mientras mio misma mismas mismo
    mismos mist mmm mochte mochtest mogen mucha muchas mucho muchos musst nachdem nadie nah naturlich ne
    neat nee nice nichts nie niemals niemand ningun ninguna ninguno nochmal nochmals nomas none nope
    nosotras np nunca obviously obwohl oft oh oje ok okay okey okidoki okie okis omg oops oopsie orale oye
    perfect perfecta perfecto perhaps phew please pls plz poca pocas pocos podemos poder podria podrias
    porfa prima proceed pronto pueda puedas pues puh quatsch querer queria quiera quieras quieres quite
    quiza quizas qwerty qwertz r rauf raus really rein rofl runter schade schon sea sean seas segun sei
    seid seien selten seriously shouldnt sicher sido siempre siendo siga sigue sip sobald solche solcher
    solches sollst sollt sondern sowie still super supuesto sure suyo sweet tampoco tanta tanto tantos tbh
    te tenemos tener tenga tengas thats theres ti toll totally tqm trotzdem ttyl tuviera tuvo tuya tuyo u
    ubers uf uff ugh uh unters ups ur usted ustedes uy vaya vayan venga vermutlich vielleicht voran
    vosotras vosotros wahrend wanna wart weg weiter welch werdet weshalb weswegen whoa willst wirklich
    wodurch wohl wollt wollte womit wonderful wont woohoo woran worauf wouldnt wovon wow wozu wurdest xd
    xfa xq yay yea yeah yep yikes youre yuju yup ziemlich zuruck zwar
    """.split()  # noqa: SIM905
)
"""Words that name nothing: agreement, exclamations, and function words that the stop lists lack."""

FILLERS = frozenset(
    """
    abend abende aburrido acht afternoon agreed ahead ai alles alright amiga amigo angry anyone anything
    appreciate ask asked assistant ayuda ayudame ayudar back bad bald besides besser best better bisschen
    bit bored boring bot brauche buddy buena bueno came cansada cansado chiste cinco come comprendo
    contenta contento correct cosa cosas creo cuadrado cuatro cuenta cuentame day days dear decide decir
    denke di dia dias dienstag diez digas dime ding dinge domingo done donnerstag drei dritte dritten egal
    eight eins empecemos entendido entiendo erste ersten erster erstes erzahl erzahle espera evening
    everybody everyone everything exactly falsch faster favor feel feeling feierabend fertig finde first
    five folks four frage fragen freitag freue freund freut friday friend froh fun funf funny gave geht
    gehts gestern get geteilt give glad glaube good got gracioso guess gustaria gut gute guter gutes guys
    hablar hacemos hagamos half halfte happy hear helfen help helpful herzlich herzlichen heute hilf hilfe
    hold hope human hungrig hungry igual joke jueves keep kind know konntest kurz kurzer lang langer
    langsam langsamer langweilig last later lauft leicht leichter lento letzte letzten letztes like likes
    lista listo longer look looking looks lot loud love luck lunes lustig mach made make makes mala malo
    many martes mate mean mejor miercoles minus minute minuto mira mitad mittwoch moment momento monday
    montag mude nachher nacht necesito need neun next night nine noche noches nothing nueve ocho one
    parece pasemos peor perdona perfekt pienso plus preocupes primera primero quadrat quasi quick quickly
    quiet quisiera raiz rapida rapido razon ready richtig right robot sabado sabes sache sachen sad sag
    sagen sagt said samstag saturday say says schau schlecht schnell schneller sechs second see seem seems
    segunda segundo seis sekunde semana seven shorter sieben siehe siete sing six sleepy slow slower
    someone something sonntag soon sorgen sort sound sounds spater squared start stimmt stop story stuff
    suerte sunday tag tage take talk tarde tardes tell ten tercera tercero thing things think third three
    thursday tiempo time times tired today told tomorrow tonight traurig tres triste true try tschuess
    tuesday two ultima ultimo understand understood vamos verstanden verstehe viel vielen vier viernes
    wait want warte way wednesday week weekend weiss well went wissen witz witzig woche wochenende worked
    working works worries worry wrong wunderbar wurzel yesterday zehn zeit zwei zweite zweiten zweites
    """.split()  # noqa: SIM905
)
"""Vague words, numbers and days: they tell what is asked for only where they are the whole message."""


CHINESE = """
    请问 请 你好 您好 大家好 早上好 下午好 晚上好 早安 晚安 再见 拜拜 谢谢 多谢 感谢 谢啦 辛苦了
    辛苦啦 辛苦 不客气 对不起 抱歉 不好意思 没关系 没事 好的 好吧 好啊 可以 嗯嗯 嗯 哦 啊 呀
    哈哈哈 哈哈 嘿 喂 嗨 哇 唉 耶 是的 对的 没错 当然 明白了 明白 知道了 知道 懂了 了解 收到
    继续 接着 接下来 开始 等一下 等等 稍等 待会儿 一会儿 今天 明天 昨天 昨晚 现在 刚才 刚刚 最近
    时候 什么样 什么 怎么样 怎么办 怎么 怎样 为什么 为何 哪里 哪儿 哪个 哪些 哪一 谁 几个 多少
    多久 多大 多长 如何 是否 有没有 是不是 能不能 可不可以 我们的 你们的 他们的 我们 你们 他们
    她们 它们 我的 你的 他的 她的 我 你 您 他 她 它 咱们 咱 自己 大家 这个 那个 这些 那些
    这里 那里 这儿 那儿 这样 那样 这么 那么 这 那 的话 的 了 吗 呢 吧 嘛 啦 么 哟 一下 一点
    不是 不用 不要 不会 不能 不行 不对 不算 没有 很 非常 都 也 就 又 已经 因为 所以 但是 不过
    而且 如果 或者 还是 还有 以及 和 在 对于 关于 把 被 可能 应该 需要 想要 希望 以后 是 告诉
    帮我 帮忙 看看 看着 觉得 厉害 太棒了 太好了 太好 不错 加油 开心 高兴 满意 同意 愉快 快乐
    恭喜 认识 喜欢 麻烦 马上 快点 慢点 回来 再说 说得好 说得对 好久不见 原来如此 有道理 没问题
    没毛病 确实 也许 随便 最后 上午 下午 晚上 早上 一半 几点 几岁 有人 做好 乱七八糟 随你便 天哪
    下来 等于 平方根 平方 百分之
""".split()  # noqa: SIM905
"""Chinese words that name no subject; of single characters only those that seldom stand in such a word."""

_NUMBERS = "第?[一二三四五六七八九十百千两几上下]+(?:个|次|遍|步|题|点|句|条|分钟|小时|天)"
_CHINESE = re.compile("|".join([_NUMBERS, *sorted(map(re.escape, set(CHINESE)), key=len, reverse=True)]))

# Faces, hands, hearts, applause, thanks and the like; other pictures (a rocket, a bug) name things.
_GESTURES = re.compile(
    "[\U0001f600-\U0001f64f\U0001f910-\U0001f92f\U0001f970-\U0001f97a\U0001f440-\U0001f450\U0001f493-\U0001f49f"
    "\U0001f389\U0001f38a\U0001f4aa\U0001f4af\U0001f525\U0001f64c\U0001f918-\U0001f91f\U0001fa77\U0001faf0-\U0001faf8"
    "\u2600-\u2604\u2639-\u263b\u2705\u2713\u2714\u2728\u270a-\u270d\u2764\u2763\u2b50\U0001f31f\U0001f3fb-\U0001f3ff\ufe0f\u200d]"
)


def without_small_talk(text: str) -> str:
    """The text without gestures in emoji and without Chinese words that name no subject."""
    return _CHINESE.sub(" ", _GESTURES.sub(" ", text))
