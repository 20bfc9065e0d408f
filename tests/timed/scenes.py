"""All that our daemon does with BSD timed, strangers and those who run it: scenes.py TOOL [TEST]...

One program, so that tests which mostly wait can wait together.
"""

import corrections
import dates
import election_count
import exchanges
import hostile
import manners
import rivals
from scene import main

if __name__ == "__main__":
    main(*(m.__name__ for m in (
        exchanges, corrections, dates, hostile, election_count, manners, rivals
    )))
