"""Types, and what a value of each type is: how it is read, checked, said and offered, as a value and as plain data."""
