"""What checks every call of core in ``test_shapes``: an int is a float where one is wanted, as Python has it."""

from beartype import BeartypeConf, beartype

watch = beartype(conf=BeartypeConf(is_pep484_tower=True))
