"""Sentences of the rules and of sight on the page: in its language, with the names of boxes and options."""

import pytest
from flask import Flask

from scorekeeper.sentences import BoxId, BoxIds, Choice
from scorekeeper.sentences import Sentence as Rule
from vision.sentences import Sentence as Sight
from web.live.following import FILM_OVER
from web.words.sentences import say

FULL = Rule("The box %(box)s holds %(points)s already.", box=BoxId("full_house"), points=25)
JOKER = Rule(
    "This roll is a joker and may not go into %(box)s; it may go into %(boxes)s.",
    box=BoxId("ones"),
    boxes=BoxIds(["sixes", "chance"]),
)
TEAMS = Rule(
    "Yamslam with %(mode)s is for exactly %(most)s players, not %(players)s.",
    mode=Choice("mode=teams"),
    most=4,
    players=2,
)
PHOTO = Sight("This is %(what)s: send a photo as JPEG, PNG, WebP or HEIC.", what=Sight("a GIF"))


@pytest.mark.parametrize(
    "sentence, english, italian",
    [
        (FULL, "The box Full house holds 25 already.", "La casella Full contiene già 25."),
        (
            JOKER,
            "This roll is a joker and may not go into Ones; it may go into Sixes, Chance.",
            "Questo lancio è un jolly e non può andare in Uno; può andare in Sei, Chance.",
        ),
        (
            TEAMS,
            "Yamslam with two teams of two is for exactly 4 players, not 2.",
            "Yamslam, due squadre di due: bisogna essere esattamente 4, non 2.",
        ),
        (
            PHOTO,
            "This is a GIF: send a photo as JPEG, PNG, WebP or HEIC.",
            "Questo è un GIF: manda una foto in JPEG, PNG, WebP o HEIC.",
        ),
        (FILM_OVER, FILM_OVER, "Il filmato è finito. Per rivederlo: Ferma, poi Segui i dadi."),
        ("It is 5 % of nothing known.", "It is 5 % of nothing known.", "It is 5 % of nothing known."),
        (Rule("No box %(box)s.", box=BoxId("attic")), "No box 'attic'.", "No box 'attic'."),
        ("", "", ""),
    ],
)
def test_sentences_are_said(app: Flask, sentence: str, english: str, italian: str) -> None:
    assert say(sentence) == english
    with app.test_request_context(headers={"Accept-Language": "it"}):
        assert say(sentence) == italian
