"""A channel of a peer on an imaginary network."""

from stage import PORT, ImaginaryStage


class ImaginaryChannel:
    broadcast = (ImaginaryStage.BROADCAST, PORT)

    def __init__(self, stage, number):
        self.stage, self.address = stage, (f"10.0.0.{number}", PORT)

    def open(self, receive):
        self.stage.plug(self.address, receive)

    def close(self):
        self.stage.unplug(self.address)

    def send(self, image, target):
        self.stage.carry(self.address, target, image)

    @property
    def arrived(self):
        return self.stage.now()

    def time(self):
        return 1.6e9 + self.stage.now()
