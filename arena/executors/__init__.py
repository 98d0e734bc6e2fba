"""Who plays a match spec: worker processes of this machine, or of others.

It knows how specs go out and records come back, and tells a lost worker from a played match; it
never knows what a match is about, nor where its record is kept.
"""
