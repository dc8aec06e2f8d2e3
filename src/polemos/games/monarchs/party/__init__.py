"""The party around the board: courts, courtiers, spies, carriers, guesses and the raffle (chapter 12).

Pure functions of a state and an act. The board itself is played elsewhere; the party only learns how it stands.
"""
