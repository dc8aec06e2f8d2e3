"""The gamerunner's desk: a match run by a person and stored in a folder, so that it survives a crash."""
