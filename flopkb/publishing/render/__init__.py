"""Documents with the base at hand: a template in Markdown becomes HTML, Markdown or LaTeX."""
