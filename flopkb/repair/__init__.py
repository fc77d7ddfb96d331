"""Mending files: stale quotes rewritten, bare numbers linked, only the characters at fault, each file whole at any moment."""
