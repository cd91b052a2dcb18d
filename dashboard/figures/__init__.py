"""Arrays and labels in, a figure out. Knows neither Streamlit nor torch nor core."""
