"""The small typed core. Its reference evaluator is the meaning of a ruleset."""
