"""The Streamlit app: pages -> runs -> core, and pages -> figures."""
