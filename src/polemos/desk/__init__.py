"""The gamerunner's desk: a match run by a person, kept in a folder, safe against being killed."""
