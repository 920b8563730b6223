"""The desktop window and the command line. The only room that knows Qt."""
