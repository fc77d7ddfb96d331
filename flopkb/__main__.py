"""``python -m flopkb``."""

from flopkb.cli import main

main(prog_name="flopkb")
