"""Sentences about pictures, and how they get from one process to another."""

import json

import pytest

from vision.errors import BadImage
from vision.sentences import Sentence


def test_a_sentence_reaches_another_process_as_it_was() -> None:
    what = Sentence("a GIF")
    sentence = Sentence("This is %(what)s: send a photo as JPEG, PNG, WebP or HEIC.", what=what)
    told = Sentence.from_json(json.loads(json.dumps(sentence.to_json())))
    assert (told, told.template, told.values) == (sentence, sentence.template, sentence.values)
    assert isinstance(told.values["what"], Sentence)


@pytest.mark.parametrize(
    "told",
    [{}, [], None, "text", {"template": "x"}, {"template": 1, "values": {}}, {"template": "%(a)s", "values": {"b": 1}}],
)
def test_what_is_no_sentence_is_refused(told: dict[str, object]) -> None:
    with pytest.raises((LookupError, TypeError, ValueError)):
        Sentence.from_json(told)


def test_a_bad_image_holds_a_sentence() -> None:
    bad = BadImage("The photo has more than %(most)s MB.", most=40, too_large=True)
    assert (str(bad), bad.too_large, bad.sentence.values) == ("The photo has more than 40 MB.", True, {"most": 40})
