"""Results to standings: it knows who beat whom and by how much; it never knows a game's rules.

A rating is built from its options and turns entrants and results into a `Table`; nothing here
depends on the order in which results or entrants come.
"""
