"""Entries: facts as a player types them."""
