"""Minions: necromancers on several boards, one purse and one line of cards for all of them."""
