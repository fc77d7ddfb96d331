"""``flopkb import hf-config``: a model record from the config.json that a model is published with.

In comes a config as a document with positions; out goes the shape of the model, each number with the key it stands under,
the formula it follows by, or the class whose default it is. What is not known is refused by its name, never guessed.
"""
