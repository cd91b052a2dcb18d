"""python -m core ledger: the command that lists the papers' claims with our measurements."""

import argparse
import json

from core.analysis.verdict import Verdict


def add_parser(commands: argparse._SubParsersAction) -> None:
    """Add the command to the others."""
    command = commands.add_parser("ledger", help="list the papers' claims with our measurements")
    help = "list one paper only: DR-AGG, CCCaps, AGT, DRNN, EM routing or Critics"
    command.add_argument("--paper", default="", metavar="P", help=help)
    verdicts = [verdict.value for verdict in Verdict]
    help = f"list one verdict only: {', '.join(verdicts)}"
    command.add_argument("--verdict", default="", choices=verdicts, metavar="V", help=help)
    command.add_argument("--json", action="store_true", help="print the list as JSON")
    command.add_argument("--findings", action="store_true", help="print our findings as Markdown instead")
    command.set_defaults(run=run)


def run(args: argparse.Namespace) -> None:
    """Print the papers' claims with our measurements, or print the findings."""
    if args.findings:
        from core.ledger.findings import markdown

        print(*markdown(), sep="\n")
        return
    from core.ledger import read
    from core.ledger.words import lines

    claims = read(args.paper, verdict=args.verdict)
    if args.json:
        print(json.dumps(claims.astype(object).where(claims.notna(), None).to_dict("records"), indent=1))
    else:
        print(*lines(claims), sep="\n")
