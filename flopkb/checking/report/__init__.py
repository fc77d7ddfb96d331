"""Findings as text: one module a format. Each takes the result and gives a string; nothing here prints."""
