"""Example texts, written for this dashboard, for networks of several pages."""

SENTENCES = {
    "But": "The acting is superb, but the plot never earns its two long hours.",
    "Wholesome": "so relentlessly wholesome it made me want to swipe something .",
    "Not bad": "It's not a bad film at all; it isn't a great one either.",
    "Plain": "A warm, funny and deeply moving film.",
}
NEWS = {
    "Mathematics": "A prize of one million dollars waits for whoever settles one of the unsolved mysteries of "
    "mathematics.",
    "Rover": "A rover the size of a small car landed on Mars and sent home its first pictures of the red plain.",
    "Merger": "Shares in the software maker rose sharply after it agreed to buy a smaller rival for two billion "
    "dollars.",
    "Final": "The captain scored twice in the last ten minutes to put his side into the final of the cup.",
    "Talks": "The president said talks with the rebels would go on after a week of fighting in the north.",
}
REVIEWS = {
    "Turn": "I went in with low hopes. The first half hour is slow, the jokes are stale and two of the leads seem to "
    "be reading from cards. Then the old man comes home, and the film wakes up. What follows is tender, funny and "
    "beautifully played, and it earns every tear. The ending is not what you expect. See it.",
    "Waste": "The trailer promised a thriller. What we got is two hours of people whispering in corridors.<br /><br />"
    "The camera work is fine and the score has its moments. But the script makes no sense, nobody behaves like a "
    "person, and the twist can be guessed from the poster. I checked my watch four times. Avoid.",
    "Mixed": "Is it a great film? No. Is it a good one? Almost. The cast is strong, above all the daughter, and Mr. "
    "Hale's town looks lived in. The plot, though, runs out of road after an hour and the last scenes are a mess. I "
    "did not hate it.",
}
OF_CORPUS = {  # of any other corpus: news
    "sst": (SENTENCES, "example"),
    "imdb": (REVIEWS, "review"),
    "imdb_documents": (REVIEWS, "review"),
}


def texts_for(corpus: str) -> tuple[dict[str, str], str]:
    """Example texts by name for a network trained on this corpus, and the key that tells them from other examples."""
    return OF_CORPUS.get(corpus, (NEWS, "example"))
