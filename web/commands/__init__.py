"""What the command line does, a module for each command."""
