"""The rules of Minions, one module per chapter of the book. A refusal is a paragraph as a number: 506 is 5.6."""
