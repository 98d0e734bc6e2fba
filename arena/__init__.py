"""Spades Arena: tournaments between bots that strangers wrote.

The lower half decides, the upper half acts. Below the line nothing opens, starts, waits, reads a
clock or draws a random number: time enters as a number in an answer, chance as a deck, the world
as a record. Imports run downwards only, from a higher floor to a lower one, and rooms of one floor
do not know each other; but `games` stands on `deals`.

=====  ==========  =============================================================================
floor  room        what it does
=====  ==========  =============================================================================
13     cli         parses, calls, prints; exit codes
12     exam        a bot's entrance exam: what it does wrong, and how to mend it
12     report      makes the site and the tables of a store
12     starter     a new bot's folder in one of some languages, that already plays
12     tournament  plans, runs and resumes, as a stream of progress values
11     config      a tournament's file and the options each room declares, to one checked value
10     executors   says where specs are played, and by how many at once
10     store       SQLite: what was planned and what was played, a match a transaction
9      builds      a bot's build step, once, in the sandbox, kept by digest
9      match       boards and sittings between live bots: opens, asks, closes
8      bots        a bot's folder: manifest, digest, pool
8      session     a running bot under one absolute deadline
7      env         the games as environments for learning, and policies as bots
7      sandbox     launches a program under limits, freezes it, has the whole tree gone
--     the line    pure below
6      formats     says who meets whom next, or that it is done
6      ratings     results to standings
6      referee     one game: asks, judges, records; and judges a record again
5      advice      what a bot's author should change, told from a fault's own words
5      record      match spec, game record, result, and their encoding
4      protocol    the messages between referee and bots, lines with their bound, fault kinds
3      games       the rules of both games
3      deals       from a seed to decks and boards
2      cards       card, suit, rank; a set of cards as 52 bits
2      documents   strict YAML, to values that know their place in the file
2      plugins     finds a game, sandbox, format, rating or executor by its name
1      errors      the tree of what a person can mend
=====  ==========  =============================================================================
"""

__version__ = "0.1.0"
