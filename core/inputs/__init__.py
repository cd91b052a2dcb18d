"""How samples become what a network takes: words and ids, a transformer's hidden states, pixels."""
