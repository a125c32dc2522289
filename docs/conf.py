"""The site of these pages: ``tox run -e docs`` builds it, and fails at a warning."""

project = "Assay"
extensions = ["myst_parser"]
html_theme = "furo"
html_title = "Assay"
myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]
