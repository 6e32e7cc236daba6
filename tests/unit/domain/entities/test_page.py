"""A page shows what was said as plain text: no name makes a link, a picture, a heading or a tag."""

from collections.abc import Iterator
from typing import Any

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from strata.domain.entities.page import page
from strata.domain.wire.conclusions import Conclusion
from strata.domain.wire.entities import Entity, EntityEnd, EntityRelationship
from strata.domain.wire.episodes import Episode

HOSTILE = (
    "[Ana](https://evil.test)",
    "Ana](https://evil.test) [Bea",
    "![Ana](https://evil.test/pixel.png)",
    "<script>alert(1)</script>",
    '<a href="https://evil.test">Ana</a>',
    "<https://evil.test>",
    "https://evil.test/ana",
    "www.evil.test",
    "ana@evil.test",
    "Ana\n\n# Heading",
    "Ana\r\n- item\u2028- item",
    "`code` **bold** _slanted_ ~~gone~~",
    "Ana | Bea | --- |",
    "- item",
    "12. item",
    "+ item",
    "=====",
    "---",
    "&lt;b&gt;Ana&lt;/b&gt; &copy;",
    "\\",
    "\\[Ana](https://evil.test)",
    "[Ana]: https://evil.test",
    "Ana `` ``` <!--",
    "> quoted",
)


def tokens(every: list[Token]) -> Iterator[Token]:
    for each in every:
        yield each
        yield from tokens(each.children or [])


@pytest.mark.parametrize("name", HOSTILE)
def test_what_was_said_is_shown_and_does_nothing(name):
    end, other = (EntityEnd(id=each, name=name, type="person") for each in ("5f0c2d", "77d0aa"))
    told = {"roles": [name], "confidence": 0.9, "mention_count": 2, "merged": [], "stated": []}
    told |= end.model_dump() | {"aliases": [name, f"{name} too"], "first_seen": None, "last_seen": None}
    entity = Entity(**told)
    knows = {"subject": end, "object": other, "confidence": 0.9, "last_seen": "2026-01-01T00:00:00Z"}
    relationship = EntityRelationship(kind=f"kind {name}", sources=["ep-1"], **knows)
    words: Any = {"text": name, "sources": ["ep-1"]}
    about: Any = {"id": "ep-1", "timestamp": 1, "summary": name, "conversation_id": "a/b (c)"}
    said, episode = Conclusion.model_construct(**words), Episode.model_construct(**about)

    shown = page(entity, [relationship], [said], [episode], query={"userId": "ann&bea"})

    read = list(tokens(MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(shown)))
    links = {str(each.attrs["href"]) for each in read if each.type == "link_open"}
    assert links == {"/api/entities/77d0aa/page?userId=ann%26bea", "/episodic/a%2Fb%20%28c%29"}
    tags = [each.content for each in read if each.type in ("html_inline", "html_block")]
    assert tags == []
    kinds = {each.type.removesuffix("_open").removesuffix("_close") for each in read}
    plain = {"heading", "paragraph", "inline", "text", "em", "bullet_list", "list_item", "link"}
    assert kinds <= plain | {"softbreak", "text_special"}
    assert [each.tag for each in read if each.type == "heading_open"] == ["h1", "h2", "h2", "h2"]
    assert sum(each.type == "bullet_list_open" for each in read) == 3
    assert [each for each in ("https://", "www.", "ana@") if each in shown] == []
    heading = next(each for each in read if each.type == "inline").children or []
    assert "".join(each.content for each in heading) == " ".join(name.split())


@pytest.mark.parametrize(
    ("count", "last", "told"),
    [
        (1, "2026-01-01", "named in 1 memory on 2026-01-01;"),
        (3, "2026-01-01", "named in 3 memories on 2026-01-01;"),
        (3, "2026-01-09", "named in 3 memories between 2026-01-01 and 2026-01-09;"),
    ],
)
def test_a_page_counts_the_memories_and_says_when_they_were_told(count, last, told):
    seen = {"first_seen": "2026-01-01T08:00:00Z", "last_seen": f"{last}T09:00:00Z"}
    about: Any = {
        "id": "5f0c2d",
        "name": "Ana",
        "type": "person",
        "aliases": [],
        "roles": [],
        "confidence": 0.9,
    }
    entity = Entity(**about, **seen, mention_count=count, merged=[], stated=[])
    assert told in page(entity, [], [], [])


def test_a_page_has_no_more_marks_than_it_needs():
    about: Any = {"id": "ep-1", "timestamp": 1, "summary": "Jam & scones! No. #3", "conversation_id": "s1"}
    told: Any = {"id": "5f0c2d", "name": "Marks & Co", "type": "organization", "aliases": [], "roles": []}
    entity = Entity(
        **told, confidence=0.9, mention_count=1, first_seen=None, last_seen=None, merged=[], stated=[]
    )
    shown = page(entity, [], [], [Episode.model_construct(**about)])
    assert shown.startswith("# Marks & Co\n")
    assert shown.endswith("- [ep-1](/episodic/s1), 1970-01-01: Jam & scones! No. #3\n")
