"""The rules of Demons, one module per chapter of the book; `turn` lists the stages."""
