"""The clock of a BSD kernel, as timed steers it by adjtime."""

MAX_ADJUST = 20.0
SLEW, FAST_SLEW, FAST_FROM = 500e-6, 5000e-6, 1.0


class BsdClock:
    """Ahead of true time by `offset`. Needs `stage` for the time, `scale`, and `slews`: if not,
    corrections move it at once."""

    @property
    def offset(self):
        done = min(abs(self.lacks), self.slew * (self.stage.now() - self.moved))
        return self.base + (done if self.lacks > 0 else -done)

    @offset.setter
    def offset(self, value):
        self.base, self.lacks, self.slew, self.moved = value, 0.0, 0.0, 0.0

    def move_clock(self, change):
        if abs(change) >= MAX_ADJUST or not self.slews:
            self.offset += change
        elif change:  # else what it slews already goes on
            self.base, self.lacks, self.moved = self.offset, change, self.stage.now()
            self.slew = (FAST_SLEW if abs(change) >= FAST_FROM else SLEW) * self.scale
