"""The rules of Monarchs, one module per chapter of the book; `turn` lists the stages."""
