"""Every way in, tried with what nobody would write: briefly by the tests, for as long as one likes by hand (``__main__``)."""
