"""What holds for every test: Hypothesis draws the same examples each time and minds no clock.

`HYPOTHESIS_PROFILE=explore` draws others, and more of them.
"""

import os

from hypothesis import settings

settings.register_profile("steady", derandomize=True, deadline=None, database=None)
settings.register_profile("explore", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))
