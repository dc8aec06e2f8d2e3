"""`python -m polemos`"""

from polemos.cli.main import main

main()
