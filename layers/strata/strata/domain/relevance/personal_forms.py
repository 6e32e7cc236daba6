"""The forms of questions about what one asks of a person first, and of the statements that tell it: a line each.

They match folded text. In questions a name of the person stands at the marks in braces.
"""

from enum import StrEnum


class Aspect(StrEnum):
    """What a question about a person asks for."""

    NAME = "name"
    ROLE = "role"
    HOME = "home"
    ORIGIN = "origin"
    WORKPLACE = "workplace"
    LIKES = "likes"
    DISLIKES = "dislikes"


LEAD = (
    r"(?:(?:and|so|ok|hey|please|then|y|entonces|oye|por favor|can you tell me|could you tell me|tell me|do you know|do you remember|remind me"
    r"|i wonder|me puedes decir|puedes decirme|dime|sabes|recuerdas|te acuerdas de) )*"
)
NOW = (
    r"(?: (?:now|right now|currently|nowadays|these days|at the moment|today|again|please|then|exactly|ahora|actualmente|hoy|hoy en dia"
    r"|por favor|exactamente|entonces|best|most|mas|in general|en general))*"
)
_DOES = r"(?:do|does) "

_WHO = r"(?:she|he|i|we|the user|this user|the person|this person{names})"
_WHOSE = r"(?:her|his|my|the user'?s|this user'?s|the person'?s|this person'?s|user'?s{owners})"
_QUIEN = r"(?:ella|el|yo|el usuario|la usuaria|la persona|esta persona{names})"
_SU = r"(?:su|mi)"
_SUS = r"(?:sus?|mis?)"
_DE_QUIEN = r"(?: (?:del usuario|de la usuaria|de la persona|de esta persona|de ella|de el{of_names}))?"
_OF_WHO = r"(?: of (?:the user|this user|the person|this person{names}))"

QUESTIONS: tuple[tuple[Aspect, str], ...] = (
    # --- name ---
    (Aspect.NAME, rf"what(?:'?s| is| was) (?:{_WHOSE} (?:full |first |last |real |given )?name|the (?:full |first )?name{_OF_WHO})"),
    (Aspect.NAME, rf"what (?:is|am|are) {_WHO} called|what (?:do|should|can|may) (?:i|we|people) call (?:her|him|me|the user)|who (?:is|am|are) {_WHO}"),
    (Aspect.NAME, rf"como (?:se llama|me llamo)(?: {_QUIEN})?|cual es (?:{_SU} nombre|el nombre){_DE_QUIEN}|quien (?:es|soy)(?: {_QUIEN})?"),
    # --- work ---
    (Aspect.ROLE, rf"what(?:'?s| is| are| was) (?:{_WHOSE} (?:current |day |main )?(?:job|jobs|job title|profession|occupation|work|role|career|line of work|trade|position)|the (?:job|profession|occupation|work|role){_OF_WHO})"),
    (Aspect.ROLE, rf"what (?:job|profession|occupation|work|(?:kind|sort|type) of (?:work|job)) {_DOES}{_WHO} (?:do|have)"),
    (Aspect.ROLE, rf"what {_DOES}{_WHO} (?:do(?: (?:for a living|for work|as (?:a|her|his|their|my) job|professionally|for money|at work))?|work as|work in)"),
    (Aspect.ROLE, rf"how {_DOES}{_WHO} (?:earn|make) (?:a|her|his|their|my) living"),
    (Aspect.ROLE, rf"(?:en|de) que (?:trabaja|trabajo)(?: {_QUIEN})?|a que (?:se dedica|me dedico)(?: {_QUIEN})?|que (?:trabajo|empleo|puesto|oficio|profesion) (?:tiene|tengo)(?: {_QUIEN})?"),
    (Aspect.ROLE, rf"cual es (?:{_SU} (?:trabajo|profesion|oficio|ocupacion|empleo|puesto|cargo)|(?:el|la) (?:trabajo|profesion|oficio|ocupacion|empleo)){_DE_QUIEN}|como (?:se gana|me gano) la vida(?: {_QUIEN})?"),
    # --- where they live, come from, work ---
    (Aspect.HOME, rf"where (?:{_DOES}{_WHO} (?:live|reside|stay)|(?:is|am|are) {_WHO} (?:living|based|located))"),
    (Aspect.HOME, rf"(?:in )?(?:what|which) (?:city|town|country|place|village|part of the world|region|area) (?:{_DOES}{_WHO} live(?: in)?|(?:is|am|are) {_WHO} (?:living|based)(?: in)?)"),
    (Aspect.HOME, rf"what(?:'?s| is) {_WHOSE} (?:home|city|place of residence|hometown now|home city)|where(?:'?s| is) {_WHOSE} home"),
    (Aspect.HOME, rf"(?:donde|en (?:que|cual) (?:ciudad|pais|pueblo|lugar|sitio|provincia|region)) (?:vive|vivo|reside|resido|esta viviendo)(?: {_QUIEN})?|cual es {_SU} (?:ciudad|lugar de residencia)(?: actual)?"),
    (Aspect.ORIGIN, rf"where (?:(?:is|am|are) {_WHO} (?:originally )?from|{_DOES}{_WHO} (?:originally )?come from|(?:was|were) {_WHO} (?:born|raised)|did {_WHO} grow up)|what(?:'?s| is) {_WHOSE} home ?town"),
    (Aspect.ORIGIN, rf"de donde (?:es|soy|viene|vengo)(?: {_QUIEN})?|donde (?:nacio|naci|se crio|crecio)(?: {_QUIEN})?|cual es {_SU} (?:ciudad|pueblo|lugar) (?:natal|de origen)"),
    (Aspect.WORKPLACE, rf"where {_DOES}{_WHO} work|(?:who|whom|what company|which company) {_DOES}{_WHO} work (?:for|at)|for whom {_DOES}{_WHO} work|(?:who|what)(?:'?s| is) {_WHOSE} (?:employer|company|workplace)"),
    (Aspect.WORKPLACE, rf"(?:donde|en que (?:empresa|sitio|lugar|ciudad)|para (?:quien|que empresa)) (?:trabaja|trabajo)(?: {_QUIEN})?|cual es {_SU} (?:empresa|lugar de trabajo)"),
    # --- likes and dislikes ---
    (Aspect.LIKES, rf"what {_DOES}{_WHO} (?:really |usually |most |generally )?(?:like|love|enjoy|prefer|like to do|love to do|enjoy doing|like doing|love doing|do for fun|do in (?:her|his|their|my) (?:free|spare) time)"),
    (Aspect.LIKES, rf"what (?:things |kind of things |sort of things ){_DOES}{_WHO} (?:like|love|enjoy)|what(?:'?s| is| are) {_WHOSE} (?:hobby|hobbies|interests?|likes|passions?|preferences?|favou?rites?|favou?rite things|pastimes?)|what (?:is|am|are) {_WHO} (?:into|interested in|fond of|keen on|passionate about)"),
    (Aspect.LIKES, r"que (?:cosas |mas )?(?:le|me) (?:gusta|gustan|encanta|encantan|apasiona|interesa)(?: (?:hacer|mas|a ella|a el|al usuario|a la usuaria{a_names}))*"),
    (Aspect.LIKES, rf"(?:cual(?:es)? (?:es|son)|que) (?:{_SUS} )?(?:aficion(?:es)?|gustos?|hobb(?:y|ies)|interes(?:es)?|pasatiempos?|preferencias?|pasion(?:es)?)(?: (?:tiene|tengo))?{_DE_QUIEN}|que prefier[eo](?: {_QUIEN})?"),
    (Aspect.DISLIKES, rf"what (?:{_DOES}{_WHO} (?:dislike|hate|avoid|not like|not eat|not drink|detest)|(?:doesn'?t|don'?t|does not|do not) {_WHO} (?:like|eat|drink|want|enjoy)|(?:can't|cant|cannot|can) {_WHO} (?:not )?(?:eat|stand|have|drink|tolerate))"),
    (Aspect.DISLIKES, rf"what(?:'?s| is| are) {_WHOSE} (?:dislikes?|allerg(?:y|ies)|intolerances?)|(?:is|am|are) {_WHO} allergic to (?:anything|something)|what (?:is|am|are) {_WHO} allergic to|(?:does|do) {_WHO} have (?:any )?(?:allerg(?:y|ies)|intolerances?)"),
    (Aspect.DISLIKES, rf"que (?:cosas )?no (?:(?:le|me) (?:gusta|gustan)|come|como|bebe|bebo|toma|soporta|puede comer|puedo comer)(?: (?:nada|a ella|a el|al usuario))?|que (?:odia|odio|evita|evito|detesta|detesto)(?: {_QUIEN})?|a que (?:es|soy) alergic[oa](?: {_QUIEN})?|(?:tiene|tengo) (?:alguna )?(?:alergias?|intolerancias?)"),
)  # fmt: skip

OF_CATEGORY = {
    "name": Aspect.NAME,
    "role": Aspect.ROLE,
    "preference": Aspect.LIKES,
    "preferences": Aspect.LIKES,
    "dislike": Aspect.DISLIKES,
}

STATEMENTS: tuple[tuple[Aspect, str], ...] = (
    (Aspect.NAME, r"(?:is called|is named|goes by|(?:the |full |first )?name(?: is|:)|se llama|su nombre es|nombre:)"),
    (Aspect.ROLE, r"(?:works? as|is employed|(?:his|her|their) (?:job|profession|occupation) is|says of their work|studies|trabaja (?:de|como)|se dedica|su (?:trabajo|profesion) es|de su trabajo dice|estudia)"),
    (Aspect.WORKPLACE, r"(?:works? (?:as .{1,60} )?(?:at|in|for)|is employed (?:at|by)|trabaja (?:(?:de|como) .{1,60} )?(?:en|para))\b"),
    (Aspect.HOME, r"(?:lives?|resides?|is (?:based|living)|moved to|vive|reside|se mudo a)"),
    (Aspect.ORIGIN, r"(?:comes? from|is (?:originally )?from|was born|grew up|es de|nacio|se crio)"),
    (Aspect.LIKES, r"(?:likes?|loves?|enjoys?|prefers?|adores?|is (?:fond of|keen on|into|a fan of)|le (?:gustan?|encantan?)|prefiere|adora|disfruta)"),
    (Aspect.DISLIKES, r"(?:dislikes?|hates?|avoids?|detests?|does(?:n't| not) (?:like|eat|drink)|is allergic|can'?t (?:eat|stand)|no le gustan?|evita|odia|detesta|es alergic[oa]|no (?:come|bebe|toma|soporta))"),
)  # fmt: skip
