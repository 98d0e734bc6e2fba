"""Who meets whom next, or that a tournament is done; it never knows what is played or how."""
