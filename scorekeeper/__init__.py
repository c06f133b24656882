"""The rules of the games and the record of a session: pure, and without a language, a picture or a page.

``rulebooks`` has the games, ``session`` folds what happened at the table into a position, ``store`` keeps it.
"""
