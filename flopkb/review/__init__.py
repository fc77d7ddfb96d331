"""What a change moves: ``diff`` and ``impact``.

In come two states of a base; out goes what differs between them: records, values, quotes, claims and findings. It
writes no record and knows no page.
"""
