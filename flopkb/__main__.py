"""``python -m flopkb``."""

from flopkb.commands.main import main

main(prog_name="flopkb")
