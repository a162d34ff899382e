"""``visionset completion``: what Tab completes in bash, zsh and fish."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from visionset.commands.parts import Subparsers, add_command, say

SHELLS = ("bash", "zsh", "fish")

_MORE = """\
examples
  visionset completion bash           print it; to have it in each new shell, write it to a file that the shell reads:

  mkdir -p ~/.local/share/bash-completion/completions
  visionset completion bash > ~/.local/share/bash-completion/completions/visionset

  mkdir -p ~/.zfunc                     zsh: with  fpath+=~/.zfunc; autoload -Uz compinit; compinit  in ~/.zshrc
  visionset completion zsh > ~/.zfunc/_visionset

  mkdir -p ~/.config/fish/completions
  visionset completion fish > ~/.config/fish/completions/visionset.fish
"""


_NAMES = ("PHOTO", "PICTURE", "SOURCE", "FILE", "...")
"""What may be the name of a file besides other things, as an address or a number."""


def add_parsers(subparsers: Subparsers) -> None:
    """Describe the command."""
    parser = add_command(subparsers, "completion", run, _MORE)
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help="which shell: %(choices)s")


def run(args: argparse.Namespace) -> int:
    """Print the shell's own script, made of the parser of all commands, which `args.whole_parser` makes."""
    import shtab

    parser: argparse.ArgumentParser = args.whole_parser()
    for one in _parsers(parser):
        for action in one._actions:
            if action.type is Path or action.metavar in _NAMES:
                is_folder = action.metavar in ("DIR", "FOLDER")
                action.complete = shtab.DIRECTORY if is_folder else shtab.FILE  # type: ignore[attr-defined]
            elif action.choices is not None and not isinstance(action.choices, dict):
                action.choices = list(action.choices)
    for line in shtab.complete(parser, args.shell).splitlines():
        say(line)
    return 0


def _parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in dict.fromkeys(action.choices.values()):
                yield from _parsers(below)
