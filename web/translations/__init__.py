"""The texts in other languages: a catalogue (`.po`) for each, and what is made of it."""
