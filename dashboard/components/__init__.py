"""Small browser components: a scrubber that drives all pictures of a page, its followers, and pictures to drag.

Only the Lab and the pictures to drag need the server. The scrubber sets a bound parameter (by default ``iteration``) of
each Vega chart, keeps it in the address (as ``t``) and sends an event (``routescope:iteration``) to its followers: the
verdict, the finding, the shaded text and the frames of a Plotly chart. A page can have one scrubber per parameter.

``notebook`` joins some of them to a page that shows one trace in a notebook, for ``widget``. Neither needs Streamlit.
"""
