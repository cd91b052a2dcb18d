"""The screen that all pages share: its places, inputs, outputs and sentences."""
