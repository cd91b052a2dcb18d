"""The Streamlit app. Imports go from pages to runs to core, and from pages to figures."""
