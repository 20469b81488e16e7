"""From files to one set of declarations: modules joined, variants applied, each name given to one declaration."""
