import io
import json
from unittest.mock import ANY

from hypothesis import given
from hypothesis import strategies as st

from strata.cli.export_files import ExportWriter, chunks

rows = st.lists(st.dictionaries(st.text(max_size=5), st.text(max_size=40), max_size=3), max_size=12)
documents = st.fixed_dictionaries({"sessions": rows, "observations": rows})


@given(documents, st.integers(10, 400), st.integers(1, 5))
def test_chunks_hold_every_row_once_and_in_order(document, max_bytes, max_rows):
    pieces = list(chunks(document, max_bytes, max_rows))
    for name in ("sessions", "observations"):
        assert [row for piece in pieces for row in piece.get(name, [])] == document[name]


@given(documents, st.integers(10, 400), st.integers(1, 5))
def test_chunks_stay_under_their_limits_unless_one_row_is_too_large(document, max_bytes, max_rows):
    for piece in chunks(document, max_bytes, max_rows):
        [held] = piece.values()
        assert 1 <= len(held) <= max_rows
        size = len(
            json.dumps(held, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
        )
        assert len(held) == 1 or size <= max_bytes + 1


@given(st.lists(documents, min_size=1, max_size=4))
def test_pages_are_written_as_one_document(pages):
    out = io.StringIO()
    writer = ExportWriter(out, io.StringIO())
    for page in pages:
        writer.add({"exported_at": "2026-01-02T03:04:05Z", **page})
    writer.finish()
    written = json.loads(out.getvalue())
    assert written == {
        "exported_at": ANY,
        "sessions": [row for page in pages for row in page["sessions"]],
        "observations": [row for page in pages for row in page["observations"]],
    }
