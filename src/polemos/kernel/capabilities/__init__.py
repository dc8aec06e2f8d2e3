"""Optional abilities of games beyond the contract, each a small protocol.

A game opts in by inheriting from the protocol. Other packages check for it by type:

    if isinstance(game, SealedBids):
        asked = game.sealed(options)
"""
