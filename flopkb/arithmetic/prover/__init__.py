"""Statements over exact rational forms, decided over declared domains; knows no records.

In: a comparison of two forms, and the domain of their symbols (grids, intervals, lists, narrowed by conditions). Out:
proved, holding at so many points, or refuted at a point that is as small as it can be. In order: the rational normal
form and signs; exact evaluation at boundary points, at every listed value and at seeded points; a solver, where one is
installed; Hypothesis to make a counterexample small and, in a thorough run, to look for one. Everything is exact and
the same from run to run.
"""
