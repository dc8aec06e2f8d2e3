"""Taking in strangers' bots: opening what they send, recognising it, building it, and a trial match. Knows no game.

`Reception` does all of it. Everything here is hostile until the trial is over, and boxed even after that.
"""
