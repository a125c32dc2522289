"""The extension that puts the gallery's pages into the site: it writes them into a folder of the build."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gallery_pages import COMMAND, ENTRIES, RESULTS, load, page, table
from sphinx.project import Project
from sphinx.util import logging

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sphinx.application import Sphinx
    from sphinx.util._pathlib import _StrPath

INDEX = "gallery/index"
TABLE = "% the table of entries"
"""The line of the index, a comment of MyST's, that the table takes the place of."""

_LOGGER = logging.getLogger(__name__)


class ProjectWithGallery(Project):
    """The sources, and the gallery's pages, which lie in the folder ``made``."""

    made: Path

    def discover(self, exclude_paths: Iterable[str] = (), include_paths: Iterable[str] = ("**",)) -> set[str]:
        """Find the sources, and add the pages."""
        names = super().discover(exclude_paths, include_paths)
        names |= {f"gallery/{path.stem}" for path in self.made.glob("*.md")}
        return names

    def doc2path(self, docname: str, absolute: bool) -> _StrPath:
        """The file of a page; relative paths are those of the sources, beside which the pages seem to lie."""
        found = super().doc2path(docname, absolute)
        made = self.made / found.name
        return type(found)(made) if absolute and docname != INDEX and docname == f"gallery/{made.stem}" else found


def write_pages(app: Sphinx) -> None:
    """Write the pages, and have Sphinx read them."""
    project = ProjectWithGallery(app.srcdir, app.config.source_suffix)
    project.made = Path(app.doctreedir) / "gallery-pages"
    project.made.mkdir(parents=True, exist_ok=True)
    for old in project.made.glob("*.md"):
        old.unlink()
    for entry, results in load():
        if not results:
            _LOGGER.warning("%s has no stored result: run %s --only %s", entry["id"], COMMAND, entry["id"])
        (project.made / f"{entry['id']}.md").write_text(page(entry, results), encoding="utf-8")
    app.project = app.env.project = project


def put_table(app: Sphinx, docname: str, source: list[str]) -> None:
    """Put the table into the index."""
    if docname == INDEX:
        source[0] = source[0].replace(TABLE, table(load()))
        for path in (ENTRIES, RESULTS):
            app.env.note_dependency(path)


def setup(app: Sphinx) -> dict[str, bool]:
    """Sphinx calls this once, before it reads the pages."""
    app.connect("builder-inited", write_pages)
    app.connect("source-read", put_table)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
