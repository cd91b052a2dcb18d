"""Routescope: streamlit run streamlit_app.py"""

import streamlit as st
from starlette.middleware import Middleware

from dashboard.server.front import Front
from dashboard.server.messages import OwnMessages
from dashboard.server.start import lifespan

in_front = [Middleware(Front), Middleware(OwnMessages)]
app = st.App("dashboard/server/router.py", lifespan=lifespan, middleware=in_front)
