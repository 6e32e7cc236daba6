"""Files and identifiers are no names, whatever finds them."""

import pytest

from strata.domain.entities.merging import Span, in_order
from strata.domain.entities.spelling import files_in


@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("Read CHANGELOG.md, then call Ana", ["CHANGELOG.md"]),
        ("It is in Documents/Maria/final_v3.docx.", ["Documents/Maria/final_v3.docx"]),
        ("C:\\Users\\Tom\\notes.txt", ["\\Users\\Tom\\notes.txt"]),
        ("PLEASE_READ.MD and getAna_Ruiz(), index.js", ["PLEASE_READ.MD", "getAna_Ruiz", "index.js"]),
        ("Node.js at Booking.com with J.K. Rowling, St.Paul. _Emma_ by Jane.Then", []),
        ("and/or Madrid/Lugo", []),
        ("Ana_Ruiz wrote Final_Report", ["Ana_Ruiz", "Final_Report"]),  # nothing tells the one from the other
    ],
)
def test_files_are_told_by_their_endings_and_identifiers_by_a_stroke(text, files):
    assert [text[start:end] for start, end in files_in(text)] == files


def test_a_name_that_lies_in_a_file_is_left_out():
    text = "Ana read Ana.md with Bea, and Bea.md"
    spans = [Span(text.index(name, at), text.index(name, at) + 3, "person", 0.9) for name, at in STARTS]
    assert [(each.text, each.start) for each in in_order(text, spans)] == [("Ana", 0), ("Bea", 21)]
    assert in_order(text, spans[1:2]) == []


STARTS = (("Ana", 0), ("Ana", 4), ("Bea", 0), ("Bea", 25))
