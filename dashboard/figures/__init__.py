"""Figures, made of arrays and labels, without Streamlit and PyTorch."""
