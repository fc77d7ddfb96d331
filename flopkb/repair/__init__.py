"""Mending files: stale quotes rewritten, bare numbers linked, only what is at fault, each file in one step."""
