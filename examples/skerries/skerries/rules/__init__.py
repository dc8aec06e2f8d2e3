"""The rules of the book, as functions over the records of `state`."""
