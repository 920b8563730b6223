"""Pages that measure and examine this machine: the work in a process of its own, the window shows it."""
