"""What the site shows besides docs/: pages that lie elsewhere in the repository, and links to them.

mkdocs calls these functions by their names. A link out of docs/ to a page that the site has leads to it; one to anything else of the
repository becomes plain words, for the site stands alone.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.plugins import event_priority
from mkdocs.structure.files import File

ROOT = Path(__file__).parents[1]

ELSEWHERE = {
    "readme.md": "README.md",
    "training.md": "scripts/training/README.md",
    "ablations.md": "scripts/training/ablations.md",
    "numbers.md": "scripts/training/numbers.md",
    "experiments.md": "scripts/training/experiments.md",
    "contributing.md": "CONTRIBUTING.md",
    "changes.md": "CHANGELOG.md",
    "samples.md": "samples/README.md",
    "calibration-sheets.md": "calibration/README.md",
}
"""Page of the site, and the file of the repository that it shows."""

INSIDES = 0.2
"""What a word counts on a page for developers when somebody searches; on the others it counts 1."""

_LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)#:\s]+)(#[^)]*)?\)")


@event_priority(100)
def on_config(config: Any, **_: Any) -> Any:
    """Put pages that the navigation does not name under those for developers, the layers under theirs."""
    docs = Path(config.docs_dir)
    there = [page.relative_to(docs).as_posix() for page in sorted(docs.rglob("*.md")) if not page.name.endswith(".de.md")]
    developers = next(one["For developers"] for one in config.nav if "For developers" in one)
    layers = next(one["Layers"] for one in developers if "Layers" in one)
    layers[:] = [page for page in there if page.startswith("layers/")]
    named = str(config.nav)
    developers += [page for page in there if f"'{page}'" not in named]
    return config


@event_priority(-200)
def on_files(files: Any, config: Any, **_: Any) -> Any:
    """Add the pages that lie outside docs/, which are in English; in another language there are only pages that are written in it."""
    language = config.theme["language"]
    if language != "en":
        for file in [one for one in files if one.is_documentation_page() and getattr(one, "locale", language) != language]:
            files.remove(file)
        return files
    for page, source in ELSEWHERE.items():
        files.append(File.generated(config, page, content=(ROOT / source).read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, **_: Any) -> str:
    """Turn links that are right in the repository into such that are right in the site; let searches find the games before the insides."""
    name = page.file.src_uri
    if f"'{name}'" in str(next((one for one in config.nav if "For developers" in one), "")):
        page.meta["search"] = {"boost": INSIDES}
    source = ELSEWHERE.get(name, f"docs/{name}")
    return _LINK.sub(lambda found: _in_site(found, name, source), markdown)


def _in_site(found: re.Match[str], name: str, source: str) -> str:
    mark, words, target, anchor = found.groups()
    wanted = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
    by_source = {path: page for page, path in ELSEWHERE.items()}
    if wanted in by_source:
        there = by_source[wanted]
    elif wanted.startswith("docs/"):
        there = wanted.removeprefix("docs/")
        if there.endswith(".de.md") and not name.endswith(".de.md"):
            up = posixpath.relpath("de", posixpath.dirname(name) or ".")
            return f'<a href="{up}/{there.removesuffix(".de.md")}.html" hreflang="de">{words}</a>'
    elif (ROOT / wanted).exists() and not mark:
        return words
    else:
        return found[0]
    return f"{mark}[{words}]({posixpath.relpath(there, posixpath.dirname(name) or '.')}{anchor or ''})"


@event_priority(-200)
def on_post_page(output: str, page: Any, **_: Any) -> str:
    """Lead to the first page in German from one that is in English alone."""
    name = page.file.src_uri
    if name.endswith(".de.md") or (ROOT / "docs" / f"{name.removesuffix('.md')}.de.md").is_file():
        return output
    there = posixpath.relpath("de/index.html", posixpath.dirname(name) or ".")
    return re.sub(r'(?<=rel="alternate" )href="[^"]*"(?= hreflang="de")|href="[^"]*"(?= hreflang="de" class=)', f'href="{there}"', output)


@event_priority(-200)
def on_post_template(output_content: str, template_name: str, **_: Any) -> str:
    """Lead from the page of what is not found to a first page that is there."""
    if template_name != "404.html":
        return output_content
    led = re.sub(r'href="/(de/)?[^"]*"(?= hreflang=)', r'href="/\1index.html"', output_content)
    return re.sub(r'(?<=role="dialog")(?! aria-label)', ' aria-label="Search"', led)
