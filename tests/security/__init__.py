"""docs/security.md: what input from others may do, and what no input makes flopkb do."""
