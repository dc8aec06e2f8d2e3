"""The rules of Monad, one module per chapter of the book."""
