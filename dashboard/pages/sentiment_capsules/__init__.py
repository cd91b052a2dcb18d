"""The Sentiment capsules page."""
