"""Everyday words of English, Spanish, German and Chinese: they occur in talk about anything.

A memory that shares nothing else with a message seldom answers it. All are folded.
"""

import re
from collections.abc import Callable
from functools import cache, lru_cache

from Stemmer import Stemmer

EVERYDAY = frozenset(
    """
    able abril across actual actually add agosto agua air aire aktuell allow along alrededor alt alte alto
    always andere anderen anderer anderes anderung anfangen ano anos answer antwort antworten appear
    aprender april arbeit area around art aufhoren aufzahlen auge august available bajo become begin
    beginnen beginnt behalten behind beispiel bekommen bekommt believe benutzen benutzt beschreiben
    bewegen big bleiben bleibt bloss body brauchen braucht bring bringen bringt buy cabeza call called
    cambio cara case caso change changes child cien clear comes comida coming compara compare completo
    consider contra corta corto crear create creer cuerpo current cut dado dame dan dar debajo december
    define definieren deja dejar dejo denken denkt dentro describe describir detras dezember dibuja dicen
    diciembre diferencia diferente difference different dificil dijo dinero dio distinto door draw early
    easy eher einfach ejemplo empezar empfehlen empfiehl empieza encima encontrar end ende enden enero
    entender entlang enviar erklar erklare erklaren escribe escribir escrito esperar essen every example
    explain explica explicame explicar eye face facil fact fall fangt febrero februar february fin final
    find finden findet finds follow food forma found frase free frei fruh fuhlen full funciona funciono
    funktioniert ganz ganze ganzen geben gebraucht gedacht gefunden gegangen gegeben gehen geld gemacht
    genommen gente genug gesagt geschichte geschrieben gesehen gesicht gets getting ging given gives
    glauben gleiche gleichen goes gone gran grande gross grosse grosser grow grund habla hacen halb halbe
    halten hand happen happened happens hard haupt head heissen heisst high historia hoch hohe home hora
    horas hour hours hundert hundred idea idee important importante include incluso innerhalb ir jahr
    jahre jahren januar january joven juli julio july june jung juni junio kam kaufen keeps kept kill
    klappt klein kleine known kommen kommt kopf korper kurze lado lange large largo lassen lasst late
    laufen lead learn least leave leben lebt leer left lernen lesen less letzter leute libre liest life
    linie list liste little live llama llamaba llamar lleva llevar long lose low luft lugar mai main
    making manera mano march marz marzo mayo media medio meet mehrere meisten meistens men mensch menschen
    mes meses mil minuten minutes minutos mirar moglich monat monate monaten money month months mostrar
    move mover mundo nachste nachsten name namen names neben necesita necesitar needed needs nehmen nennen
    nennt neu neue neuen neuer neues never new niedrig nimmt nombre nombres november noviembre nueva
    nuevas nuevo nuevos october octubre offer often ojo oktober old orden ort others otras otros palabra
    palabras parar part parte pasa pasar paso passieren passiert pay pensar people pequeno person persona
    personas personen piensa place play point pone poner posible possible pregunta principal probar
    probieren problem problema provide prueba puerta puesto punkt punto put queda quedar question quiere
    quieren reach read real realmente reason recomienda recomiendame recommend reihe reihenfolge remain
    remember respuesta resume resumeme resumir run running runs sabe saber satz schauen schicken schreiben
    schreibt schwer seconds seen seguir segundos seguro sehen sekunden selbe semanas send senden sentence
    sentir september septiembre set several short show shows side sieht siguiente simple sit small sogar
    solamente sometimes spat speak spend spielen spielt sprechen spricht stand started starts stay stellen
    stellt stunde stunden suggest summarize tagen takes taking tausend teil temprano terminar text texto
    thought thousand tipo toda todas todavia tomar took toward town trabajo traduce traducir translate
    traves tried tur turn turned turns typ type uberhaupt ubersetze ubersetzen unterschied usa usado usar
    use used uses using usually van varios veces venir verdad vergleiche vergleichen verschieden versuchen
    versucht verwenden vez vida viejo viele viene visto vivir voll wahr walk wants warten wasser watch
    water ways wechsel weeks weise welt wenig weniger whole wichtig wieder win wochen woman women word
    words world wort worte worter write written year years young zahl zeigen zeigt zusammenfassen
    """.split()  # noqa: SIM905 - a page of words reads better than a page of quotes
)
"""Words of time, number and order, and the commonest verbs, nouns and adverbs."""

COMMON_SUBJECTS = frozenset(
    """
    abrir auto book brief buch build business car carta casa children city ciudad coche company country
    familia familie family frau funcion government group grupo gruppe haus hombre house informacion
    information kid kids kinder land letter libro line linea mann mujer nina nino ninos number numbers
    numero nummer offnen open order page pagina pais program room seite serve service stadt state system
    zimmer
    """.split()  # noqa: SIM905
)
"""Everyday words that a message may well be about."""

OF_THE_MOMENT = frozenset(
    """
    1st 2nd 3rd abajo abbrechen abendessen abgemacht ablehnen abre abrelo abro aburro acaba acabas accept
    acepta aceptar acepto acercar acordar acortarlo acting actuar addiere addieren adivina adivinanza
    adivinar afraid agotado agradecido agradezco ahnung akku alcanzar alegro aleman alma amar amor anade
    andar anders anfang anfuhrungszeichen angenommen angst annehmen annoyed annoying anrufen answers
    antworte anybody apagar aparecer aplica apply approve arbeiten arm arreglado arreglar arriba arrive
    arrived ashamed asleep asustar ate atender atmen atras attempt aufpassen aufregen aufwachen augen
    aumentar ausdenken ausfuhren ausruhen aussehen auswahl autobus autocorrect autumn avion avisar awake
    ayudado azucar badly bahn bailar baja bajalo ball basta bastar bateria bathroom battery bauch
    beautiful bebe beber bed bedanken bedeuten beeil beeindruckend beer befehl befehlen beginning bein
    beispiele belong bemerken bereit beruhigen besar beschaftigt beschweren besprechung bestatige bestimmt
    besuchen betreffen bett bezahlen bezweifle bici bier bike bite bitten blame boca boden bold bonita
    bonito borra borralo borrar bother bottom bought brauchst braver brazo bread break breakfast brechen
    brennen breve bright broke broken broma bromas brot brought brummt bullet bullets burn bus buscaba
    buscar busy caer cafe cake caliente callate calling calm calor cama cambia cambialo cambiar cambiemos
    cambios caminar cancel cancela cancelar cancion cansar canta cantar cantaros careful carry catch
    caught causa cena cero cerrar cerveza chair chance chaos charlar chat cheap check cheer cheese chinese
    chinesisch chino choice choose christmas cielo cierra clarify clavado clean cleaning clever click
    clipboard clock closed clothes cloudy cocina coffee coge coger coin cold coma comando comentar
    comenzar comer comiendo comillas comma command commit committe completar comprar compras comprender
    comunicar concreta concreto confiar confirm confirma confundido confundir confused conocer conseguir
    considerar contestar continuar convence convencer conversacion conversation convinced copia copialo
    copy corazon corrector correr corrige cortalo cortar count crack crazy creado criterio cross crossed
    cruzado cruzar cry crying cuadrada cuanto cuentamelo cuidar culpa cup curiosidad curioso curious dach
    dance dancing daneben dank danken dark date dauert daumen deber debil decepcionado decides decidir
    dedo deep dejalo dejame dejan deje delay delete delighted demostrar desaparecer desayuno descansar
    descanses descanso desear deserve deshacer deshaz deshazlo despacio despertar despierto destino detail
    details detalle detalles detener deutsch dices diente diff differently difficult digamos dilo dimelo
    dinner dios dirt dirty disappointed disfrutar disturb divertido divertir doorbell dormido dormir
    double doubt drank dream dreaming dress drink drive drop dropped drucken drunk dry ducha dudar dudo
    duele duermas duermes dumm dunkel durar dusche ears eat eating echar educado effort egg eggs ei eier
    eile einfachen einfacher einfugen einkaufen einladen ejecuta ejecutalo ejemplos elaborate elegir elige
    emocion emocionar emoji emojis empty encanta encantan encender encontre enfadado enfadar enfermo
    enganar englisch englische english enjoy enorme enseguida ensename ensenar ensenare entdecken enter
    enters entfern entferne entrar entregar entscheide entscheiden entschuldige entschuldigen entschuldigt
    enttauschen enttauscht equivocado equivocar equivocas erfahren ergeben erinnern erkennen erklart
    erlauben erleben erledigt ernst errata erreichen erschopft erschrecken erwarten erzahlen escape
    escoger esconder escribelo escuchar escuchas esfuerzo espanol espero esse estomago estupido eternidad
    evitar ewig exagerar examples excited exhausted exist existir expect expensive expert experta
    explanation explicacion extrano eyes fahr fahren fahrrad fahrt fail fair faith fallen falsches falta
    faltar fang fangen fassen fatal fault favorite favourite feelings feet fehlen feiern fell fenster
    ferien fern fett fever fieber fiebre fiel fiesta fight fijar fill finger fingers finish finished fio
    fit fix fixed flew fliegen flip floor fly folgen foot force forever forget forgive forgot forgotten
    formal formlich formulier formuliere forward frances franzosisch frases freedom freeze french fressen
    freu freuen freundlicher friendlier frio frozen fruhling fruhstuck fruit frustrante frustrated
    frustrating frustrierend fruta fuerte fug fuhr furchtbar furchten fuss future futuro ganar garden
    garten gastar geb geblieben gedicht gedruckt gefallen gefallt gefragt gefuhle geh geheimnis geholfen
    gehoren geklappt geklingelt gelaufen gelingen gelost gemeint genauer genie geniessen gerettet german
    geschehen geschlafen gespannt gesprach gesund getan getroffen gewinnen gewohnen gib gift glass gluck
    grab gracia gramatica grammar grammatik grateful grew gritar grossbuchstaben guapo guarda guardalo
    guardar gusta gustar gusto haar haare habit hablamos hablando hablare hablas hair haltst hambre hande
    handle hands handy hang hangen harder hassen hate haz hazlo hazme headache heading headings healthy
    heard hearing heart heat heavy heben heiss hell herausfinden herbst hermoso herz hide hilarious
    hilfreich himmel hit hitze hoffe hoffen hoflich hoflicher holding hole holen holiday holidays honest
    hoping hor horen horrible horst hot huevo hug huge huir hunger hurry hurt hurts ibas ideas ideen
    ignora ignoralo ignore ignorier ignoriere ilusion imagina imagine importar imposible impossible
    impresionante impressive improve indicar indiferente informal ingles inside intentar interesar
    interessieren invierno invitar invite irren irrst isst italian italiano italienisch japanese japanisch
    japones jardin job jokes journey judge jugar juice jump juntar jurar justo kaffee kalt kalte kapieren
    kapiert kaputt kaputtgemacht kase keen kennen kennenzulernen keyboard kick kidding kiss kitchen
    klappen kleinbuchstaben klingeln klingelt klingen klingt klopf klopfen klug knew knock knowledge
    komisch komm komma konzentrieren kopfweh kopier kopiere korrigier korrigiere kosten krank kuche kuchen
    kurzen kurzfassung kussen lachen lamentar language languages langweilen lanza lass laugh laughing laut
    lavar lazy learnt leche lee leerlo lees leg legen leiden leihen lejos lend lenguaje leo leuchtet
    levantar lie lieb liebe lieben lieber lied liegen lies light limpiar limpio lio listen listening
    living llamando llamas llamo llegado llegar llenar llorar lloviendo llueve loben loca loco lograr
    losch loschen losen losgehen lost loved lower lowercase luchar lucky lugen luna lunch lust lustiges
    lying mache machst magic maldito manage mananas manches mandar mando manner manos mantener maquina
    maravilla matar matter mayuscula meal meant medianoche medias mediodia meeting meinst mejorar melde
    melden mensaje mensajes mente mention mentir mentira merecer merken merry mesa mess message messages
    messen meter middle midnight miedo milch milk mind minuscula miralo mirarlo miro mistake misunderstood
    mitnehmen mittag mittagessen mittendrin mitternacht modo molestar mond moneda mood moon morir motivo
    mouth moved moving muchisimas muestrame muestramelo mund muntere munze music musica musik mut na nacer
    nachdenken nachmittag nachricht nachrichten nachster nail nailed nariz nase navidad nearly necessary
    negar negrita nenn nervig nervioso nervos nervous nett neugierig nich nicken nieve nimm noise noon
    normal nose notar notice numerar nummerieren oben obligar obliged obst ocupado ocupar ocurrir odd
    odiar offen ofrecer ohr oigo oir ojos olvida olvidado olvidalo olvidar opcion opinar opinion option
    ordenar ordnung oreja orgulloso ortografia oscuro otono outside oyes paciencia pagar pain pan
    paragraph parecer pared parezca partir parto pasado pase pases pasos passen passt past paste patience
    patient pausa pause pech pedir pega pegalo pegar pelear pelo pelota pena pensando perder perdido
    perdonar perfectly permission permitir pesado pestana phone phrase picar pick pie pierna pillado
    pillar pisado pizza plain pleased pleasure plotzlich pocket poem poema polish polite pollo pon ponlo
    poor portugiesisch portugues portuguese power practicar practice preciosa precioso prefer preferir
    preguntado preguntas preocupar preparar prepare presentar press pressed prestar pretend pretty prevent
    primavera principio prisa probando profi prometer promise proof proper proponer proteger proud prove
    pruf pull punch puntos purpose push putzen quedado quedando quedarte quejar quemar queso questions
    quita quitalo quitar quote quotes rad rain raining rainy rang raro rat rate raten ratsel ray reaction
    realidad reality rebooting rechaza rechazalo rechazar recht rechtschreibung recibir reconocer recordar
    redactalo reden redest redo refuse regalar regalo regen regnet regresar regret reichen reicht reir
    reisen reject relax relieved rely remove rennen repeat repetir rephrase repite repitelo replies reply
    request reset resolver respect respetar respond responder rest resuelto resumelo resumen retry retten
    reunion reunir revert revisa revisar reword rewrite rhyme rich riddle riddles ride rief ring ringing
    rings risa rise risk roboter rock rogar roll rollo romper roof root roto ruckgangig rufen ruft ruhe
    ruhig rule rush ruso russian russisch rutsch sabras sacar safe saft salir salta saltar saltate
    saltatelo salud saludar salvado salvar sandwich sano sauber sauer save saved scared schaffen schatzen
    scheinen schenken schimmer schlaf schlafen schlafst schlagen schliessen schlimm schluss schmecken
    schmutzig schnee schneiden schnelle schone schonen schones schrecklich schreib schreien schritt
    schritte schuld schwach schweigen scratch scroll sec secret secreto seele seguimos selben selbst sell
    seltsam senalar sencilla sencillas sencillez sencillo sense sentar sentences sentido sentimientos
    sepas sera seria serious servir settle setz setzen shame share shine ship shocked shopping shorten
    shout shower shrug shut shy sick sieh siento sign significar sigo silencio silla silly simpatico
    simpler singen singing sitio sitting situation sitzen size skill skip sky sleep slept smart smile
    smileys snack sofa soft sol soltar solucion solucionar solved somewhere sommer sonando sonar song
    sonne sonreir sorge sorprender sorprendido sorpresa soul spanisch spanish sparen spass spate speaking
    specific speed speichern spell spelling spinnen spirit spitze spoke spot sprichst spring springen
    square stage standing star stare stark staying steal stecken stehen stehengeblieben steigen step steps
    sterben stichpunkte stick stimmen stolz stomach stopp stopped stopping storen straight strange streich
    streiten streng stress strike strom stromen strong stuck stuhl stupid sturm style sube subelo subir
    subject subo subtrahieren success suceder suchen sucio suelo sueno suffer sufrir sugar suit sum suma
    summarise summe summer sun sunny suponer supongo support suppose surprise surprised swear switch
    tabelle tabla table talent talking tanzen tardando tardanza tardar tarta tasse tastatur taste taxi
    taza tea teach tear tease teclado tee teeth telefon telefono tema temer tenia termina terminado
    terrible thema theme thick thin thinking threat thrilled throw thrown tidy tight timbre tiny tip
    tippen tippfehler tira tirar tisch title titulos toc tocar toilet tolle tomate tone tonto tooth top
    topic tormenta touch tough trabajar traduccion traer tragen train tranquilo translation tratar trauen
    traum traumen treffen tren trennen trick trinken trip trouble trust truth tun tunel tunnel tut typing
    typo uben uberlasse uberlegen ubernimm uberraschen uberrascht uberschriften ubersetz uberspring
    uberspringen uberzeugen uberzeugt ugly umformulieren undo unless unlucky unten upper uppercase upset
    urlaub urlaubsreif useful useless uso usual utilizar vacaciones vacation valer variante vea veas vemos
    vencer vender ventana veo verandern verano verbessern verbieten verdienen veremos verga vergessen
    vergiss verlassen verliebt verlieren vermissen verraten verruckt verrucktes versprechen verstehen
    versuch verte vertippt vertraue vertrauen verwechseln verwerfen verwirren verwirrt verzeihen ves
    vestir viajar viento vino voice volver vorbei vorlesen vormittag vorn vorne vorschlagen vorsicht
    vorstellen voz vuelta vuelve vuelves vuelvo wach wachsen wahl wahlen wahnsinnig waiting wake walked
    wall wand warm warn waschen wash waste weak wear weather wechseln wecken weekday weekdays weihnachten
    wein weinen weird weisen weit weitergeht weitermachen werfen wet wetter whenever wide wiederhole
    wiederholen wiederzusehen wild wind window wine winken winner winter wirf wirken wise wish witness
    wonder wondering work worten wrap wunder wundern wunschen wurfel wurfle wusst wut yell zahlen zahn
    zahne zeig zeige ziehen zucker zufall zufrieden zug zuhoren zumo zweifeln
    """.split()  # noqa: SIM905
)
"""Further words about the talk itself, or about home, health, weather and feelings in passing."""

CHINESE = frozenset(
    """
    一二 一些 一句话 一样 一直 一般 上一条 上来 上班 下去 下班 下雨 下雪 不太 不着急 专家 世界
    东西 中文 主意 举个例 举例 之前 之后 乘以 九十 买东 事情 二三 人们 人生 从头 从来 仔细 付钱
    以前 休息 会做 会议 佩服 例子 便宜 保存 保守 修改 假期 做得 做成 做饭 停下 偶尔 允许 公交
    关心 关掉 关系 具体 再写 再努力 再来 再检查 再看 再给 再试 再读 再跑 再长 写字 写成 写短
    冬天 决定 准备好 减去 几乎 出去 出来 出现 出门 分钟 列出来 删掉 删除 别停 刮风 到达 办法
    加一 加上 加班 加粗 努力 医院 十七 十五 午饭 半夜 卖掉 原因 原谅 厨房 去掉 友好 反对 反应
    发出 发烧 发生 发错 取消 变得 变成 句子 可怕 可爱 吃饭 合适 同一 同情 同样 名字 后悔 后来
    吓死 听到 听懂 听见 吵架 周一 周三 周二 周五 周六 周四 周日 周末 命令 咖啡 响了 哭了 唱歌
    啤酒 喝茶 器人 回去 回复 回头 回答 困难 圣诞 地方 坐下 声音 复制 复杂 夏天 外面 多说点 大人
    大写 大忙 大白话 大雨 天气 太冷 太快 太慢 太热 太短 太长 太阳 失去 失望 头发 头疼 奇怪 女人
    好吃 好听 好梦 好没 好玩 好看 好笑 好累 好运 嫉妒 字数 学习 安慰 安静 完全 完成 客气 害怕
    害羞 容易 将来 小写 小孩 小心 小时 展开 帮助 常常 平时 年级 应用 度假 开会 开工 弄完 引号
    当时 得到 得好 德语 心情 必要 忘了 忘记 快好 忽然 忽略 怀疑 总是 情况 惊讶 想到 想想 想法
    想起 意思 意见 愚蠢 感冒 感动 感情 感激 慢慢来 成为 成功 成表格 所谓 手指 手机 打开 打扫
    打扰 打架 打电 打错字 执行 找到 抓狂 担心 拒绝 挺好 换一种 换个 换个说法 换句话说 接受 推上去
    提交 撤回 撤销 支持 改动 放假 放心 放松 散步 数字 敲门 新年 方法 方面 旅游 旅行 无所 无聊
    日文 日语 早饭 时光 时间 星期 春天 晚点 晚饭 普通 月亮 有意 有时 有趣 期几 期待 未来 机会
    机器 机器人 果汁 标题 样子 桌子 梦想 检查 椅子 模型 欢迎 正式 死我 每行 气死 水果 永远 汽车
    沙发 没听懂 没想 没电 没看懂 法语 泡茶 注意 洗澡 测试 浴室 消失 消息 清楚 漂亮 火车 点子
    然后 牙齿 牛奶 特别 猜猜 玩笑 玩耍 理由 理解 生气 生活 用心 电脑 电话 男人 白话 相信 看到
    看懂 看见 真不 真好 真烦 眼泪 眼睛 着急 睡好 睡觉 知识 硬币 确定 碰到 社会 祈祷 祝贺 禁止
    离开 秋天 秘密 稳定 突然 窗口 立刻 立即 站起 笑死 笑话 第一 第三 第二 等待 答应 答案 简单
    简单点 简短 篇幅 粘贴 精简 糊涂 紧张 练习 终于 经常 结果 给力 绝对 缩短 美丽 羡慕 翻译 老人
    耐心 聊天 聪明 肚子 能用 脾气 自行 花钱 英文 英语 表情 表格 表达 要点 见面 解决 解释 认真
    讨厌 讨论 记住 讲话 话题 语气 语法 误会 说到一半 说完 说得 说明 说服 说法 说点 说话 说错
    读书 谈话 谜语 购物 贵了 赞成 走开 走路 赶紧 起来 跑步 跳舞 跳过 过去 过得 过来 运气 还原
    还要 这句 这条 进去 进来 选择 逗号 通俗 逛街 遇到 道歉 道理 邀请 那句 那条 邮件 部分 重做
    重复 重新 重要 错别字 错觉 键盘 门铃 闭嘴 问题 除以 隧道 难受 难吃 难看 难过 面包 音乐 飞机
    首歌 骄傲 骰子 鸡蛋
    """.split()  # noqa: SIM905
)
"""Everyday words and words of the moment in Chinese."""

_SHORTEST_STEM = 3
_SHORTEST_FORM = 5
"""Shorter words are taken as they stand: too many are forms of words of another language."""


def is_everyday(word: str) -> bool:
    """Whether a folded word occurs in talk about anything."""
    return word in EVERYDAY or word in COMMON_SUBJECTS


@lru_cache(maxsize=8_192)
def is_of_the_moment(word: str, *, forms: bool = False) -> bool:
    """Whether a folded word is said in passing; with `forms`, so are its Spanish and German forms."""
    if word in EVERYDAY or word in OF_THE_MOMENT or word in CHINESE:
        return True
    return forms and len(word) >= _SHORTEST_FORM and any(stem(word) in stems for stem, stems in _stems())


@cache
def _stems() -> list[tuple[Callable[[str], str], set[str]]]:
    stemmers = [Stemmer(language, 0) for language in ("spanish", "german")]
    return [
        (
            each.stemWord,
            {stem for stem in each.stemWords(list(EVERYDAY | OF_THE_MOMENT)) if len(stem) >= _SHORTEST_STEM},
        )
        for each in stemmers
    ]


def without_everyday_chinese(text: str) -> str:
    """The text without everyday Chinese words."""
    return _chinese().sub(" ", text)


@cache
def _chinese() -> re.Pattern[str]:
    return re.compile("|".join(sorted(CHINESE, key=len, reverse=True)))
