"""What some games can do beyond the contract, a small protocol each.

A game takes part by naming the protocol as a parent. The rooms ask for it by its type:

    if isinstance(game, SealedBids):
        asked = game.sealed(options)
"""
