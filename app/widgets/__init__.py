"""Parts of the window. They show what they are given and signal what the user wants; the controller decides."""
