"""Inputs, outputs and texts that several pages share."""
