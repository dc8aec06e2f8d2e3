"""x"""
from pathlib import Path
def make(): pass
def replays_into(p: Path): pass
