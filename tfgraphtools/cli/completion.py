"""``tfgraphtools completion``: a script that completes commands and options in a shell."""

import argparse

SUMMARY = "print a shell completion script"

_BASH = """\
_tfgraphtools() {{
    local line="${{COMP_WORDS[*]:0:COMP_CWORD}}" words=""
    case "$line" in
{cases}
    esac
    COMPREPLY=($(compgen -W "$words" -- "${{COMP_WORDS[COMP_CWORD]}}"))
    if [ "${{#COMPREPLY[@]}}" -eq 0 ]; then
        COMPREPLY=($(compgen -f -- "${{COMP_WORDS[COMP_CWORD]}}"))
    fi
}}
complete -o filenames -F _tfgraphtools tfgraphtools
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of the command."""
    parser.add_argument("shell", choices=["bash", "zsh"], help="the shell")


def run(arguments: argparse.Namespace) -> int:
    """Prints the script."""
    from tfgraphtools import cli

    cases = [
        '    "{}"*) words="{}" ;;'.format(name, " ".join(_completions(parser)))
        for name, parser in sorted(cli.subcommands(), key=lambda pair: -len(pair[0]))
    ]
    if arguments.shell == "zsh":
        print("autoload -U +X bashcompinit && bashcompinit")
    print(_BASH.format(cases="\n".join(cases)))
    return 0


def _completions(parser):
    """The options and subcommands of one parser."""
    for action in parser._actions:
        yield from action.option_strings
        if isinstance(action.choices, dict):
            yield from action.choices
