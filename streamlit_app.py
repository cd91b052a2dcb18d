"""Routescope: streamlit run streamlit_app.py"""

import streamlit as st
from starlette.middleware import Middleware

from dashboard.server.api.routes import Programs
from dashboard.server.documentation import Documentation
from dashboard.server.front import Front
from dashboard.server.lab import LabAnswers
from dashboard.server.messages import OwnMessages
from dashboard.server.start import lifespan
from dashboard.server.uploads import Uploads

in_front = [Middleware(part) for part in (Front, Documentation, Programs, OwnMessages, Uploads, LabAnswers)]
app = st.App("dashboard/server/router.py", lifespan=lifespan, middleware=in_front)
