"""The site of docs/: Markdown through MyST, shown with furo; ``tox run -e docs`` builds it, and a warning is an error.

Beside what Sphinx checks itself (links among pages, headings, files), the build checks the shown commands and the links
of the texts outside docs/: README.md, CONTRIBUTING.md and CHANGELOG.md.
"""

from __future__ import annotations

import sys
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.util import logging

DOCS = Path(__file__).resolve().parent
# Sphinx runs outside the project: of its packages it can import only what needs no more than the standard library.
sys.path[:0] = [str(DOCS), str(DOCS.parent)]

from links import broken_links, texts  # noqa: E402  # beside this file, which is on the path only from here on
from shown_commands import Project, command_fault, commands_of  # noqa: E402  # as links

project = "Assay"
author = "the authors of Assay"
project_copyright = "the authors of Assay, Apache License 2.0"
html_title = "Assay"

extensions = ["myst_parser", "gallery_site"]
root_doc = "index"
source_suffix = {".md": "markdown"}
exclude_patterns = ["_static", "_gallery"]
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
nitpicky = True
suppress_warnings: list[str] = []

html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["assay.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_last_updated_fmt = None  # the same sources give the same site
pygments_style = "friendly"
pygments_dark_style = "github-dark"
highlight_language = "text"

_LOGGER = logging.getLogger(__name__)


def check_texts(app: Sphinx) -> None:
    """Warn of each unknown command and each broken link: strict mode makes an error of a warning."""
    root = DOCS.parent
    known = Project.read(root)
    for path in texts(root):
        text = path.read_text(encoding="utf-8")
        for shown in commands_of(text):
            fault = command_fault(shown, known)
            if fault is not None:
                _LOGGER.warning("%s: %s", shown.text, fault, location=f"{path}:{shown.line}")
        for line, fault in broken_links(path, root):
            _LOGGER.warning("%s", fault, location=f"{path}:{line}")


def setup(app: Sphinx) -> dict[str, bool]:
    """Sphinx calls this once, before it reads the pages."""
    app.connect("builder-inited", check_texts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
