"""Trains a network on a person's own texts and labels, and measures it as the shipped networks are measured."""
