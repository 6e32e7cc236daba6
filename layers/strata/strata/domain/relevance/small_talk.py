"""Words and signs of small talk: greetings, thanks, agreement, goodbyes, orders to go on.

They say nothing about a subject. All are folded; English, Spanish and German stand together, since a message
seldom says which language it is in.
"""

import re

GREETINGS = frozenset(
    """
    hi hello hey heya hiya howdy yo greetings morning afternoon evening night goodnight bye goodbye cya
    thanks thank thx ty cheers sorry pardon excuse welcome congrats congratulations
    hola buenas buenos dias tardes noches adios chao gracias perdon disculpa disculpe saludos felicidades
    hallo moin servus gruss grusse gruezi tschuss tschau ciao danke dankeschon bitte entschuldigung sorry
    morgen abend nacht tag gluckwunsch willkommen
    """.split()  # noqa: SIM905 - a page of words reads better than a page of quotes
)
"""Words that speak to somebody: beside them, a name is an address."""

FILLERS = frozenset(
    """
    ok okay okey kk k yep yup yeah yea nope nah sure fine great cool nice perfect awesome amazing excellent
    wonderful brilliant fantastic super lovely neat sweet wow oh ah hmm hm um uh haha hahaha lol lmao omg
    please pls plz good bad better best right alright correct exactly indeed absolutely totally agreed true
    really well maybe perhaps guess think know understand understood see got get gotcha go going continue
    proceed next done ready start stop wait hold moment minute second again back later soon today tomorrow
    yesterday now day days week weekend time lot bit much many thing things stuff something anything nothing
    everything someone anyone everyone way kind sort like likes love hope want wanna need gonna gotta let
    lets make makes made take say says said tell told ask asked talk give gave come came look looks looking
    sound sounds seem seems feel feeling hear try help helpful appreciate luck fun funny happy glad work
    still anyway besides shorter longer worries worry decide mmm seriously honestly literally obviously
    works worked working job keep ahead mean joke story sing dear friend buddy mate guys man bot assistant
    ai human robot everybody folks doing went
    vale bueno buena bien genial perfecto perfecta estupendo guay claro cierto correcto exacto exactamente
    entendido entiendo comprendo sigue siga continua continue adelante espera momento minuto luego pronto
    despues manana hoy ayer dia semana tiempo cosa cosas algo nada favor por jaja jajaja ja uf uy vaya
    encantado encantada igualmente tal ayuda ayudar ayudame dime di cuentame cuenta mira oye venga sabes
    creo pienso supuesto acuerdo listo lista mejor peor suerte amigo amiga chiste puedes podrias quisiera
    gustaria necesito hablar decir hacer dale orale pues nomas ahi alla aqui parece digas hagamos hacemos
    empecemos pasemos razon perdona preocupes quieras quiera igual da mmm vamos
    gut gute guten guter gutes prima klasse toll super wunderbar perfekt genau richtig stimmt klar sicher
    naturlich einverstanden verstanden verstehe weiter mach machen los warte moment minute sekunde nachher
    spater bald heute gestern jetzt woche wochenende zeit ding dinge sache sachen etwas nichts alles jemand
    hilfe helfen hilf sag sagen sagt erzahl erzahle frage fragen schau siehe gerne gern freut freue schon
    schade leider okidoki jo nee ne ach aha gehts geht lauft witz wissen weiss glaube denke finde brauche
    mmm sorgen egal quasi halt eben warum nochmal nochmals bisschen okay
    mochte wurde konntest kannst freund fertig viel vielen herzlichen herzlich tschuess
    """.split()  # noqa: SIM905
)
"""Further words that name no subject."""

CHINESE = """
    请问 请 你好 您好 大家好 早上好 下午好 晚上好 早安 晚安 再见 拜拜 谢谢 多谢 感谢 辛苦了 不客气
    对不起 抱歉 不好意思 没关系 没事 好的 好吧 好啊 可以 嗯嗯 嗯 哦 啊 呀 哈哈哈 哈哈 嘿 喂 是的
    对的 没错 当然 明白了 明白 知道了 知道 懂了 了解 收到 继续 接着 开始 等一下 等等 稍等 待会儿
    一会儿 今天 明天 昨天 现在 刚才 刚刚 最近 时候 时间 什么样 什么 怎么样 怎么办 怎么 怎样 为什么
    为何 哪里 哪儿 哪个 哪些 哪一 谁 几个 多少 多久 多大 多长 如何 是否 有没有 是不是 能不能
    可不可以 我们的 你们的 他们的 我们 你们 他们 她们 它们 我的 你的 他的 她的 我 你 您 他 她 它
    咱们 咱 自己 大家 这个 那个 这些 那些 这里 那里 这样 那样 这么 那么 这 那 的话 的 了 吗 呢 吧 嘛
    啦 么 哟 一下 一个 一些 一点 不是 不用 不要 不会 不能 没有 很 非常 都 也 就 又 已经 因为 所以
    但是 不过 而且 如果 或者 还是 以及 和 在 对于 关于 把 被 可能 应该 需要 想要 是 告诉 帮我 帮忙
    看看 觉得 厉害 太棒了 不错 加油 开心 高兴 笑话 意思 事情 东西 问题
    """.split()  # noqa: SIM905
"""Chinese words without a subject. Of single characters only those that seldom stand in a word with one."""

_CHINESE = re.compile("|".join(sorted(map(re.escape, set(CHINESE)), key=len, reverse=True)))

# Faces, hands, hearts, applause, thanks and the like; other pictures (a rocket, a bug) name things.
_GESTURES = re.compile(
    "[\U0001f600-\U0001f64f\U0001f910-\U0001f92f\U0001f970-\U0001f97a\U0001f440-\U0001f450\U0001f493-\U0001f49f"
    "\U0001f389\U0001f38a\U0001f4aa\U0001f4af\U0001f525\U0001f64c\U0001f918-\U0001f91f\U0001fa77\U0001faf0-\U0001faf8"
    "\u2600-\u2604\u2639-\u263b\u2705\u2713\u2714\u2728\u270a-\u270d\u2764\u2763\u2b50\U0001f31f\U0001f3fb-\U0001f3ff\ufe0f\u200d]"
)


def without_small_talk(text: str) -> str:
    """The text without gestures in emoji and without Chinese words that name no subject."""
    return _CHINESE.sub(" ", _GESTURES.sub(" ", text))
