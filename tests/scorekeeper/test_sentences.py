"""Sentences are English texts that still know how they were made."""

import json
import pickle

import pytest

from scorekeeper.errors import IllegalMove, StoreError
from scorekeeper.sentences import BoxId, BoxIds, Choice, Sentence


def test_a_sentence_is_its_english_text() -> None:
    sentence = Sentence("The box %(box)s holds %(points)s already.", box=BoxId("ones"), points=3)
    assert sentence == "The box 'ones' holds 3 already."
    assert json.dumps([sentence]) == "[\"The box 'ones' holds 3 already.\"]"
    assert sentence.template == "The box %(box)s holds %(points)s already."
    assert sentence.values == {"box": "ones", "points": 3}
    assert isinstance(sentence.values["box"], BoxId)


def test_a_text_without_places_is_left_as_it_is() -> None:
    assert Sentence("100 % of %(it)s") == "100 % of %(it)s"


def test_sentences_may_stand_within_others() -> None:
    why = Sentence("the disk is full: make room, then try again")
    whole = Sentence("The database %(path)s cannot be used: %(why)s.", path="games.db", why=why)
    assert whole == "The database games.db cannot be used: the disk is full: make room, then try again."
    assert isinstance(whole.values["why"], Sentence)


def test_ids_read_in_english_as_programs_write_them() -> None:
    assert f"{BoxId('ones')!s} {BoxIds(['ones', 'twos'])!s} {Choice('mode=teams')!s}" == "'ones' ones, twos mode=teams"


@pytest.mark.parametrize("kind", [IllegalMove, StoreError])
def test_errors_hold_a_sentence(kind: type[IllegalMove] | type[StoreError]) -> None:
    error = kind("%(name)s has left already.", name="Ana")
    assert str(error) == "Ana has left already."
    assert error.sentence.values == {"name": "Ana"}
    assert kind(error.sentence).sentence is error.sentence
    assert str(kind("There is 1 % left.")) == "There is 1 % left."


def test_a_sentence_is_kept_whole_on_its_way() -> None:
    sentence = pickle.loads(pickle.dumps(Sentence("%(name)s has left already.", name="Ana")))
    assert (sentence, sentence.template, sentence.values["name"]) == (
        "Ana has left already.",
        "%(name)s has left already.",
        "Ana",
    )
