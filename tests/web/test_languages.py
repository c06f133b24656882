"""Which language is spoken to whom, and that all that is said is said in it."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorekeeper.rulebooks import GAMES
from tests.web.conftest import CHANGE, Player, ScriptedReader
from tests.web.marked import marked, unmarked
from web import create_app
from web.translations.catalogues import mo_data
from web.words import names, number, percent
from web.words.languages import COOKIE, LANGUAGES

FRENCH = {"Accept-Language": "fr"}
PHONE = {"REMOTE_ADDR": "192.0.2.7"}

# Section 6 of the rules: the words that people know the boxes by.
BOXES = {
    "en": "Ones Twos Threes Fours Fives Sixes|One pair|Two pairs|Three of a kind|Four of a kind|Full house|"
    "Small straight|Large straight|Yams|Yatzy|Chance|Flush",
    "fr": "As Deux Trois Quatre Cinq Six|Paire|Double paire|Brelan|Carré|Full|"
    "Petite suite|Grande suite|Yam's|Yatzy|Chance|Couleur",
    "es": "Unos Doses Treses Cuatros Cincos Seises|Pareja|Doble pareja|Trío|Póker|Full|"
    "Escalera corta|Escalera larga|Yam's|Yatzy|Suerte|Color",
    "it": "Uno Due Tre Quattro Cinque Sei|Coppia|Doppia coppia|Tris|Poker|Full|"
    "Scala piccola|Scala grande|Yams|Yatzy|Chance|Colore",
}
IDS = (
    *("ones", "twos", "threes", "fours", "fives", "sixes", "one_pair", "two_pairs", "three_of_a_kind"),
    *("four_of_a_kind", "full_house", "small_straight", "large_straight", "yams", "yatzy", "chance", "flush"),
)


def _asked(header: str) -> dict[str, str]:
    return {"Accept-Language": header}


# ---- The choice


@pytest.mark.parametrize(
    "header, language",
    [
        ("fr", "fr"),
        ("fr-CA,fr;q=0.9,en;q=0.8", "fr"),
        ("fr-CA, en;q=0.9", "fr"),
        ("IT-ch", "it"),
        ("es_MX", "es"),
        ("de,nl;q=0.9,it;q=0.5,fr;q=0.4", "it"),
        ("en;q=0.3,es;q=0.7", "es"),
        ("fr;q=0", "en"),
        ("de", "en"),
        ("*", "en"),
        ("", "en"),
        ("frx", "en"),
        (";;;,,q=", "en"),
        ("fr;q=lots", "en"),
        ("x" * 5000, "en"),
        ("fr\u00e9", "en"),
    ],
)
def test_the_browser_says_which_language(client: FlaskClient, header: str, language: str) -> None:
    answer = client.get("/", headers=_asked(header))
    assert answer.status_code == 200
    assert f'<html lang="{language}"' in answer.text
    assert answer.headers["Content-Language"] == language
    assert {"Accept-Language", "Cookie"} <= set(answer.vary)


@pytest.mark.parametrize("cookie, language", [("es", "es"), ("en", "en"), ("xx", "fr"), ("", "fr")])
def test_a_choice_goes_before_what_the_browser_says(client: FlaskClient, cookie: str, language: str) -> None:
    client.set_cookie(COOKIE, cookie)
    assert f'<html lang="{language}"' in client.get("/", headers=FRENCH).text


def test_a_language_is_chosen_by_a_link_and_kept_for_a_year(client: FlaskClient, player: Player) -> None:
    path = f"/sessions/{player.start()['id']}"
    answer = client.get(f"{path}?language=it&again=1")
    assert answer.status_code == 303
    assert answer.headers["Location"] == f"{path}?again=1"
    assert f"{COOKIE}=it" in answer.headers["Set-Cookie"]
    assert "Max-Age=31536000" in answer.headers["Set-Cookie"]
    assert '<html lang="it"' in client.get(path, headers=FRENCH).text
    client.get("/?language=en")
    assert '<html lang="en"' in client.get(path, headers=FRENCH).text


@pytest.mark.parametrize("wrong", ["xx", "", "EN", "fr%0d%0aSet-Cookie:%20a=b", "../fr"])
def test_no_other_language_is_kept(client: FlaskClient, wrong: str) -> None:
    answer = client.get(f"/?language={wrong}")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")
    assert "Set-Cookie" not in answer.headers


def test_who_has_not_joined_can_choose_as_well(client: FlaskClient) -> None:
    answer = client.get("/?language=fr", environ_base=PHONE)
    assert answer.status_code == 303
    page = client.get("/", environ_base=PHONE)
    assert page.status_code == 403
    assert "Rejoindre la table" in page.text
    assert "Ce n’est pas le code de cette table." in client.get("/?code=WRONG", environ_base=PHONE).text


@pytest.mark.parametrize(
    "path", ["/", "/statistics", "/history", "/nowhere", "/sessions/{}/more", "/sessions/{}/history"]
)
def test_every_language_can_be_chosen_by_its_own_name(client: FlaskClient, player: Player, path: str) -> None:
    text = client.get(path.format(player.start()["id"])).text
    for code, name in LANGUAGES.items():
        assert re.search(rf'<a href="\?language={code}" lang="{code}"[^>]*>{name}</a>', text), code
    assert text.count('aria-current="true"') == 1


def test_the_link_to_another_language_keeps_the_page_as_it_is(client: FlaskClient) -> None:
    text = client.get("/history?player=Ana+%26+Bo&game=yams").text
    assert '<a href="?player=Ana+%26+Bo&amp;game=yams&amp;language=fr"' in text
    assert '<a href="?language=fr"' in client.get("/?code=WRONG", environ_base=PHONE).text


def test_the_script_of_the_language_is_loaded_early(client: FlaskClient) -> None:
    assert '<link rel="modulepreload" href="/static/words/fr.js">' in client.get("/", headers=FRENCH).text
    assert "modulepreload" not in client.get("/").text
    assert client.get("/static/words/fr.js", environ_base=PHONE, buffered=True).status_code == 200


# ---- The words


@pytest.mark.parametrize("language", LANGUAGES)
def test_boxes_have_the_names_that_people_know(player: Player, language: str) -> None:
    numbers, *rest = BOXES[language].split("|")
    wanted = dict(zip(IDS, [*numbers.split(), *rest], strict=True))
    games = player.client.get("/api/v1/games", headers=_asked(language)).json
    assert isinstance(games, list)
    for game in games:
        for box in game["boxes"]:
            assert box["name"] == wanted[box["id"]]
    assert {box["id"] for game in games for box in game["boxes"]} == set(IDS)


def test_games_options_and_presets_have_names_too(player: Player) -> None:
    games = player.client.get("/api/v1/games", headers=FRENCH).json
    assert isinstance(games, list)
    yatzy = next(game for game in games if game["id"] == "yatzy")
    assert yatzy["name"] == "Yatzy classique"
    joker = next(option for option in yatzy["options"] if option["id"] == "joker")
    assert joker["values"][2]["name"] == "joker strict\u00a0: d’abord sa propre face"
    assert [game["presets"][-1]["name"] for game in games if game["id"] == "yams"] == ["Règles officielles"]


@pytest.mark.parametrize("language, said", [("fr", "31 %"), ("es", "31 %"), ("it", "31%"), ("en", "31%")])
def test_shares_are_written_as_the_language_does(app: Flask, language: str, said: str) -> None:
    with app.test_request_context(headers=_asked(language)):
        assert percent(0.3149).replace("\u00a0", " ").replace("\u202f", " ") == said


@pytest.mark.parametrize(
    "language, value, decimals, said",
    [
        ("en", 245.87, 1, "245.9"),
        ("fr", 245.87, 1, "245,9"),
        ("es", 245.87, 1, "245,9"),
        ("it", 245.87, 1, "245,9"),
        ("en", 12345, 0, "12,345"),
        ("fr", 12345, 0, "12\u202f345"),
        ("es", 12345, 0, "12.345"),
        ("it", 12345, 0, "12.345"),
        ("fr", -0.44, 1, "-0,4"),
    ],
)
def test_numbers_are_written_as_the_language_does(
    app: Flask, language: str, value: float, decimals: int, said: str
) -> None:
    with app.test_request_context(headers=_asked(language)):
        assert number(value, decimals) == said


def test_without_a_page_all_is_english() -> None:
    assert (number(1234.5, 1), number(3, sign=True), percent(0.5)) == ("1,234.5", "+3", "50%")
    assert names.row_name("full_house") == "Full house"


# ---- What is refused, and what is doubted


def _error(player: Player, path: str, body: object, headers: dict[str, str] = FRENCH) -> str:
    answer = player.client.post(f"/api/v1{path}", json=body, headers=CHANGE | headers)
    assert answer.status_code >= 400
    assert isinstance(answer.json, dict)
    return str(answer.json["error"]).replace("\u00a0", " ")


def test_a_broken_rule_is_said_in_the_asked_language_with_the_names_of_boxes(player: Player) -> None:
    state = player.start(players=["Ana"])
    state = player.score(player.roll(state, 2, 2, 4, 4, 4), "full_house")
    state = player.roll(state, 2, 2, 4, 4, 4)
    body = {"seq": state["seq"], "box": "full_house"}
    path = f"/sessions/{state['id']}/scores"
    assert _error(player, path, body) == (
        "La case Full est déjà remplie, et une case ne se remplit qu’une fois : choisis-en une libre."
    )
    assert _error(player, path, body, {}) == (
        "The box Full house is filled already, and a box is filled once: choose a free one."
    )
    assert _error(player, path, body, _asked("es")).startswith("La casilla Full ya está llena")
    assert _error(player, path, body, _asked("it")).startswith("La casella Full è già piena")


def test_the_boxes_that_a_joker_may_fill_are_named(player: Player) -> None:
    state = player.start(players=["Ana"], options={"joker": "forced"})
    state = player.score(player.roll(state, 6, 6, 6, 6, 6), "yams")
    state = player.roll(state, 6, 6, 6, 6, 6)
    said = _error(player, f"/sessions/{state['id']}/scores", {"seq": state["seq"], "box": "chance"})
    assert said == "Ce lancer est un joker et ne va pas dans Chance ; il peut aller dans Six."


@pytest.mark.parametrize(
    "path, body, said",
    [
        (
            "/sessions",
            {"game": "yams", "players": ["x" * 41]},
            "Le nom numéro 1 est trop long : 40 caractères au plus.",
        ),
        ("/sessions", {"game": "yams", "players": ["Ana", " "]}, "Le nom numéro 2 est vide : entres-en un."),
        (
            "/sessions",
            {"game": "yamslam", "options": {"mode": "teams"}, "players": ["Ana", "Bo"]},
            "Yamslam, deux équipes de deux : il faut être exactement 4, pas 2.",
        ),
        ("/sessions/{}/rolls", {"seq": 1, "dice": [1, 2, 3, 4, 5], "kept": [1]}, "C’est le premier lancer du tour : "),
        ("/sessions/{}/rolls", {"seq": 9, "dice": [1, 2, 3, 4, 5]}, "La feuille a changé entre-temps"),
        ("/sessions/{}/scores", {"seq": 1, "box": "ones"}, "Il n’y a pas encore de lancer à marquer"),
        ("/sessions/{}/undo", {"seq": 1}, "Il n’y a rien à annuler : c’est le début de la partie."),
        ("/sessions/nowhere/undo", {"seq": 1}, "Il n’y a pas de partie 'nowhere' ici"),
    ],
)
def test_what_a_player_may_do_wrong_is_said_in_french(player: Player, path: str, body: object, said: str) -> None:
    assert _error(player, path.format(player.start()["id"]), body).startswith(said)


def test_a_kept_die_that_changed_is_said_in_french(player: Player) -> None:
    state = player.roll(player.start(), 4, 4, 4, 1, 2)
    body = {"seq": state["seq"], "dice": [1, 1, 1, 1, 2], "kept": [4, 4]}
    said = _error(player, f"/sessions/{state['id']}/rolls", body)
    assert "4 4 étaient gardés, mais au lancer 1 1 1 1 2 il manque 4 4" in said


def test_pages_say_in_french_that_there_is_nothing(client: FlaskClient) -> None:
    assert "Il n’y a rien à cette adresse." in client.get("/nowhere", headers=FRENCH).text
    assert "Il n’y a pas de partie" in client.get("/sessions/none", headers=FRENCH).text


def test_doubts_about_a_photo_are_said_in_french(client: FlaskClient, reader: ScriptedReader, photo: bytes) -> None:
    reader.readings, reader.unsure = [(1, 2, 3, 4)], {0}
    answer = client.post("/api/v1/read?expect=5", data=photo, content_type="image/jpeg", headers=FRENCH)
    assert isinstance(answer.json, dict)
    assert answer.json["doubts"] == ["le dé à gauche n’est peut-être pas un 1", "4 dés lus, au lieu de 5"]
    reader.readings = [(1, 2, 3, 4)]
    answer = client.post("/api/v1/read?expect=5", data=photo, content_type="image/jpeg")
    assert isinstance(answer.json, dict)
    assert answer.json["doubts"][1] == "4 dice were read where 5 are expected"


@pytest.mark.parametrize(
    "data, said",
    [
        (b"GIF89a" + bytes(50), "Reçu : un GIF. Envoie une photo en JPEG, PNG, WebP ou HEIC."),
        (b"\xff\xd8\xff", "La photo est coupée, sa fin manque : renvoie-la."),
        (b"", "Aucune photo n’est arrivée : envoies-en une."),
    ],
)
def test_a_bad_photo_is_refused_in_french(client: FlaskClient, data: bytes, said: str) -> None:
    answer = client.post("/api/v1/read", data=data, content_type="image/jpeg", headers=FRENCH)
    assert isinstance(answer.json, dict)
    assert answer.json["error"].replace("\u00a0", " ") == said


# ---- Nothing is said past the catalogues: each page in a language that marks all that goes through them


class Shown(HTMLParser):
    """What a page shows or reads out."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._silent = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent += tag in ("script", "style")
        named = dict(attrs)
        if named.get("lang") not in (None, "fr"):
            self._silent += 1  # a language's own name
        for name in ("aria-label", "alt", "title", "placeholder", "data-drop", "aria-description"):
            if named.get(name):
                self.texts.append(named[name] or "")

    def handle_endtag(self, tag: str) -> None:
        if self._silent and tag in ("script", "style", "a"):
            self._silent -= 1

    def handle_data(self, data: str) -> None:
        if not self._silent and data.strip():
            self.texts.append(data.strip())


@pytest.fixture
def marking(tmp_path: Path, database: Path, cache: Path, reader: ScriptedReader) -> Player:
    """A player at a table whose French marks all that goes through the catalogues."""
    folder = tmp_path / "words/fr/LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "messages.mo").write_bytes(mo_data(marked()))
    config = {"DATABASE": database, "CACHE": cache, "BABEL_TRANSLATION_DIRECTORIES": str(tmp_path / "words")}
    return Player(create_app(config, reader).test_client())


OWN_NAMES = re.compile(r"dicescribe|Ana|Bo|Cleo|Français|https?://\S+|[A-HJ-NP-Z2-9]{6}|\b[ABCD]\b|CSV|JSON")


def _unmarked(player: Player, path: str) -> list[str]:
    answer = player.client.get(path, headers=FRENCH)
    assert answer.status_code < 500
    left = unmarked("\n".join(Shown(answer.text).texts))
    return re.findall(r".*[^\W\d_]{2,}.*", OWN_NAMES.sub("", left))


def test_all_that_pages_show_goes_through_the_catalogues(marking: Player) -> None:
    player, paths = marking, ["/", "/statistics", "/history", "/nowhere", "/away", "/?again="]
    player.client.set_cookie("dicescribe_coach", "after")
    for game in GAMES:
        state = player.start(game, ["Ana", "Bo", "Cleo"])
        here = f"/sessions/{state['id']}"
        state = player.roll(state, 6, 6, 6, 6, 6)
        box = {"yamslam": "flush"}.get(game) or "sixes"
        state = player.change(state, "scores", **({"chip": box} if game == "yamslam" else {"box": box}))
        state = player.roll(state, 6, 6, 6, 6, 5) if game != "yamslam" else player.roll(state, 1, 2, 3, 4, 6)
        paths += [here, f"{here}/sheet", f"{here}/more", f"{here}/screen", f"{here}/turns", f"{here}/history"]
        paths += [] if game == "yamslam" else [f"{here}/boxes/0/{box}"]
        if game == "yams":
            over = player.start(game, ["Ana"])
            for one in GAMES[game].boxes:
                over = player.score(player.roll(over, 1, 2, 3, 4, 6), one)
            paths += [f"/sessions/{over['id']}", f"/sessions/{over['id']}/turns", f"/?again={over['id']}"]
    found = {path: texts for path in paths if (texts := _unmarked(player, path))}
    assert found == {}
