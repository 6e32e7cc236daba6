"""Recognizes names of pets and toys by the words around them: stated plainly, or hinted at."""

from collections.abc import Iterable, Sequence
from itertools import takewhile

from strata.domain.entities import name_lists
from strata.domain.entities.reading import Word
from strata.domain.entities.shapes import PET, TOY
from strata.domain.entities.vocabulary import EXCLAMATIONS, KIN, PET_TALK, PETS, ROLES
from strata.domain.facts.patterns.tables.words import word_set
from strata.domain.relevance.small_talk import GREETINGS

MINE = word_set("my our mi mis nuestro nuestra")
ARTICLES = word_set("the a an el la los las un una")
COPULAS = word_set("is es era was are son 's")
_NEAR = 6
"""The most words between a name and the word for an animal, on either side."""
_FAR = 40
"""The most words between a name and talk about animals."""
_TOYS = word_set("teddy doll plush plushie puppet toy peluche muneca muneco osito stuffed")
_ANIMALS = PETS | _TOYS
_NAMED = word_set("named called name name's llama llamaba llamado llamada")
_CALLED = _NAMED | word_set("is was se que es")
_GIVEN = word_set("named name naming called call calling christened")
_GIVEN_NAME = word_set("llame llamo llamamos puse puso pusimos bautice bautizamos")
_IT = word_set("him her it la lo le")
_ITS = word_set("his her its su")
_PEOPLE = (KIN | ROLES) - word_set("kid child baby guide") | word_set(
    "guy man woman girl boy lady someone somebody person owner owners baby born "
    "chico chica hombre senor senora alguien persona dueno duena bebe"
)
"""With one of these, "his name is" may be said of somebody."""
_GENERAL = word_set("pets mascotas")
_MANY = word_set("dogs cats puppies kittens rabbits hamsters horses perros gatos perritos gatitos")
_WHOSE = word_set(
    "my our your his her their its the these those some few two three four five mis tus sus nuestras vuestras dos tres"
)
_KEPT = word_set("lose losing lost having owning perder perdido perdiendo tener")
_LEAD = word_set("about to of for with and miss de con por a y que extrano")
_TAIL = word_set("tail cola rabo")
_WAGGED = word_set("wag wags wagged wagging mueve movia movio moviendo menea meneaba meneando")
_SOUNDS = word_set(
    "barks barked barking purrs purred purring meows meowed meowing ladra ladro ladraba ladrando maulla maullo ronronea"
)
_BELONGINGS = word_set("leash paw paws fur tail collar kennel litter whiskers kibble muzzle")
_WALKED = (("for", "a", "walk"), ("to", "the", "vet"), ("al", "veterinario"), ("on", "a", "leash"))
_TOOK = word_set("take took taking taken takes bring brought llevar lleve llevamos llevo llevado")


def animal(words: Sequence[Word], first: int, last: int, *, person: bool) -> str:
    """`PET` or `TOY` if the text says that a name is one's: "our dog Max", "a cat named Max", "Max, my cat"; else "".

    Args:
        words: of a text.
        first, last: the positions of the first and the last word of the name.
        person: whether the name is taken for a person's: "the dog Max sold us" is about one.
    """
    before = words_before(words, first)
    told = [word.fold for word in before]
    if before and told[0] in _ANIMALS and words[first].joined and not before[0].possessive:
        mine = not person or not MINE.isdisjoint(told[1:3])
        return _which(told[:3]) if mine else ""
    if named := _called(words, first, told):
        return named
    if not person and first == last and _is_spoken_of(words, first):
        return PET
    return _added(words, last, person=person)


def words_before(words: Sequence[Word], first: int) -> list[Word]:
    """The words near a name before it in its sentence, the nearest first."""
    begin = first
    while begin > max(0, first - _NEAR) and not words[begin].begins:
        begin -= 1
    return [*words[begin:first][::-1]]


def words_after(words: Sequence[Word], last: int) -> list[Word]:
    """The words near a name after it in its sentence."""
    return list(takewhile(lambda word: not word.begins, words[last + 1 : last + 1 + _NEAR]))


def _called(words: Sequence[Word], first: int, told: Sequence[str]) -> str:
    """`animal` by the words before a name, the nearest first: "a cat named Max", "the teddy is here. I named it Max"."""
    called = list(takewhile(_CALLED.__contains__, told))
    rest = told[len(called) :]
    named = not _NAMED.isdisjoint(called)
    if named and not _ANIMALS.isdisjoint(rest[:1]):
        return _which(rest[:3])
    if (named and (not rest or rest[0] in _ITS or "se" in called)) or _is_given(told):
        window = [word.fold for at in (_start(words, first) - 1, first) for word in _sentence(words, at)]
        if _PEOPLE.isdisjoint(window) and not _ANIMALS.isdisjoint(window):
            return _which(window)
    return ""


def _added(words: Sequence[Word], last: int, *, person: bool) -> str:
    """`animal` by the words after a name: "Max, my cat", "Max is our dog"."""
    after = words_after(words, last)
    start = int(bool(after) and after[0].fold in COPULAS)
    whose = MINE if person else MINE | ARTICLES
    if words[last].possessive or len(after) <= start or after[start].fold not in whose:
        return ""
    animals = [at for at in range(start + 1, min(start + 4, len(after))) if after[at].fold in _ANIMALS]
    if not animals or any(word.joined for word in after[animals[-1] + 1 :][:1]):
        return ""
    return _which(word.fold for word in after[start : animals[-1] + 1])


def hints_at_pet(words: Sequence[Word], at: int) -> bool:
    """Whether the words around a name suit a pet better than a person; the name has one word.

    "We miss Max. Losing a pet is hard", "took Max for a walk": one such text tells nothing yet, for friends walk and lose pets.
    """
    if _is_spoken_to(words, at):
        return False
    after = [word.fold for word in takewhile(lambda word: not word.begins, words[at + 1 : at + 5])]
    if words[at].possessive:
        return not _BELONGINGS.isdisjoint(after[:1])
    before = [word.fold for word in words[max(_start(words, at), at - 2) : at]][::-1]
    took = not _TOOK.isdisjoint(before[: 1 + (before[:1] == ["a"])])
    walked = took and any(tuple(after[: len(way)]) == way for way in _WALKED)
    good = after[:2] in (["good", "boy"], ["good", "girl"])
    return walked or good or not _SOUNDS.isdisjoint(after[:2]) or _is_among_pets(words, at)


def _is_among_pets(words: Sequence[Word], at: int) -> bool:
    """Whether tails are wagged here or in the next sentence, or the one before or after is about having animals."""
    sentence, start = _sentence(words, at), _start(words, at)
    following = _sentence(words, start + len(sentence))
    for near in (sentence, following):
        folds = [word.fold for word in near]
        if not _WAGGED.isdisjoint(folds) and not _TAIL.isdisjoint(folds) and PETS.isdisjoint(folds):
            return True
    if not (PETS | _GENERAL | {"pet", "mascota"}).isdisjoint(word.fold for word in sentence):
        return False  # whose animal it is, more likely
    return any(map(_is_general, (following, _sentence(words, start - 1))))


def _which(told: Iterable[str]) -> str:
    return PET if _TOYS.isdisjoint(told) else TOY


def _is_given(told: Sequence[str]) -> bool:
    """Whether a name follows words that give it to what was spoken of: "I named her", "la llamamos"."""
    if len(told) < 2:
        return False
    return (told[0] in _IT and told[1] in _GIVEN) or (told[0] in _GIVEN_NAME and told[1] in _IT)


def _is_general(sentence: Sequence[Word]) -> bool:
    """Whether a sentence is about having animals at all: "Losing a pet is hard", "Dogs are the best"."""
    folds = [word.fold for word in sentence]
    for at, word in enumerate(folds):
        if word in _GENERAL and (not at or folds[at - 1] not in _WHOSE):
            return True
        if word in _MANY and (not at or (at == 1 and folds[0] in {"los", "las"})):
            return True
        if word in {"pet", "mascota"} and not _KEPT.isdisjoint(folds[max(0, at - 2) : at]):
            return True
    return False


def _is_spoken_to(words: Sequence[Word], at: int) -> bool:
    """Whether somebody may be spoken to by this name: "Thanks, Laura!", "Hey Laura", "Laura, look"."""
    word, last = words[at], at + 1 == len(words)
    ends = last or words[at + 1].begins or words[at + 1].comma
    if word.begins or word.comma or not word.joined:
        return ends or word.comma
    before = words[at - 1].fold
    return before in EXCLAMATIONS | GREETINGS or (ends and before not in _LEAD)


def _start(words: Sequence[Word], at: int) -> int:
    """The position at which a word's sentence begins, at most `_FAR` words before it.

    The limit keeps a long sentence from being read again for each of its names.
    """
    begin = at
    while begin > max(0, at - _FAR) and not words[begin].begins:
        begin -= 1
    return begin


def _sentence(words: Sequence[Word], at: int) -> Sequence[Word]:
    """The words of a word's sentence, at most `_FAR` on either side; empty if there is no such word."""
    if not 0 <= at < len(words):
        return ()
    end = at + 1
    while end < min(len(words), at + _FAR) and not words[end].begins:
        end += 1
    return words[_start(words, at) : end]


def _is_spoken_of(words: Sequence[Word], at: int) -> bool:
    """Whether a thing has a first name, and pets are mentioned in the same sentence or the next one on either side."""
    name = words[at]
    if name.opens or name.fold not in name_lists.first_names() or name.fold in name_lists.known_names():
        return False
    for step, end in ((-1, max(-1, at - _FAR)), (1, min(len(words), at + _FAR))):
        left = 2
        for place in range(at, end, step):
            if words[place].fold in PET_TALK and place != at:
                return True
            left -= words[place if step < 0 else min(place + 1, len(words) - 1)].begins
            if not left:
                break
    return False
