"""The typed core language (intermediate representation) and its reference evaluator, which defines its meaning."""
