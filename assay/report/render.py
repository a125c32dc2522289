"""Render the page as one HTML text that loads nothing from elsewhere; the findings' content is shown as plain text."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from assay.report.charts import Chart, figures_of
from assay.report.sections import Page
from assay.report.trial import TrialPage

_TEMPLATES = Path(__file__).with_name("templates")
_NONE = "'none'"
_KEPT = "\n\t"
_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])")
_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""Categories of characters that don't show, or that turn those around them: controls, formats, lone surrogates."""


def render(page: Page) -> str:
    """``page`` as HTML. The same page gives the same text."""
    return _rendered("page.html.jinja", page.charts, page=page)


def render_charts(title: str, charts: Sequence[Chart]) -> str:
    """A page of ``charts`` alone, below its title, as HTML."""
    return _rendered("charts.html.jinja", charts, title=title, charts=charts)


def render_trial(page: TrialPage) -> str:
    """``page`` as HTML, without scripts."""
    return _template("trial.html.jinja").render(page=page, policy=_policy(), style=Markup(_source("page.css")))


def _rendered(template: str, drawn: Sequence[Chart], **named: Any) -> str:
    from plotly.offline import get_plotlyjs

    plotly, script = get_plotlyjs(), _source("page.js")
    return _template(template).render(
        policy=_policy(plotly, script),
        style=Markup(_source("page.css")),
        figures=Markup(in_script(figures_of(drawn))),
        plotly=Markup(plotly),
        script=Markup(script),
        **named,
    )


def _template(name: str) -> Template:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"visible": visible, "breakable": breakable}
    return environment.get_template(name)


def visible(text: str) -> str:
    r"""``text`` with characters that nobody can see written out: ``\u202e``."""
    return "".join(
        each if each in _KEPT or unicodedata.category(each) not in _UNSEEN else _written(each) for each in text
    )


def breakable(name: str) -> Markup:
    """A name in camel case, which may go on in the next line between its words."""
    return Markup("<wbr>").join(_WORDS.split(visible(name)))


def _written(character: str) -> str:
    point = ord(character)
    return f"\\u{point:04x}" if point < 1 << 16 else f"\\U{point:08x}"


def in_script(value: Any) -> str:
    """``value`` as JSON that no HTML parser sees anything in, whatever its strings are."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _policy(*scripts: str) -> str:
    """The page's Content-Security-Policy: a browser runs only Assay's own ``scripts``, and loads nothing."""
    hashes = " ".join(
        f"'sha256-{base64.b64encode(hashlib.sha256(each.encode()).digest()).decode()}'" for each in scripts
    )
    return (
        f"default-src 'none'; script-src {hashes or _NONE}; style-src 'unsafe-inline'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )


def _source(name: str) -> str:
    return (_TEMPLATES / name).read_text(encoding="utf-8")
