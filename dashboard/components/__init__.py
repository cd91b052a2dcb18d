"""Small browser components: a scrubber that drives every picture of a page, what follows it, and pictures to drag.

All but the Lab and the pictures run without the server. The scrubber sets a bound parameter of each Vega chart,
``iteration`` unless given otherwise, keeps it in the address (as ``t``) and sends an event (``routescope:iteration``)
to its followers: the verdict, the finding, the shaded text and the frames of a Plotly chart. A page may have one
scrubber a parameter.
"""
