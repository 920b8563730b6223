"""Recording what is shown: a thread of its own writes a file that can be played whatever happens to the program."""
