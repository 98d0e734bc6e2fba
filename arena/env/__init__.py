"""The games as environments that learning programs know: PettingZoo's turns, masks and rewards.

It knows how a view becomes numbers and a number a move; it never knows a rule, a bot or a match.
Needs the extra ``arena[gym]``, but for `arena.env.encoding`, which needs Python alone.
"""
