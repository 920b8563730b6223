"""The command line: one file a command, found through `COMMANDS`."""
