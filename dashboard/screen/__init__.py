"""The parts of the screen that all pages share: places, inputs, outputs and sentences."""
