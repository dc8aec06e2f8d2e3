"""What holds for every game: properties of the contract, never of a game by name."""
