"""`snellen read`: what the reader makes of a reply, and why."""

import sys

import click


@click.command(epilog='Example: snellen read "X has three, so O wins." --labels X,O --asked winner --explain')
@click.argument("reply")
@click.option("--labels", default="", help="The labels to choose among, with commas; none: a whole number.")
@click.option("--asked", default="", help="The word for what is asked: winner, loser, move, wrong, or a tag.")
@click.option("--question", default="", help="The question as it was put: replies may answer in its words.")
@click.option("--explain", is_flag=True, help="Every claim in the reply, which one won, and what spoke against it.")
def read(reply: str, labels: str, asked: str, question: str, explain: bool) -> None:
    """Read REPLY (- for standard input) as the answer to a question."""
    from snellen.answer import explained
    from snellen.item import Form, Question

    names = tuple(label.strip() for label in labels.split(",") if label.strip())
    form = Form("choice", names, asked=asked) if names else Form("number")
    text = sys.stdin.read() if reply == "-" else reply
    found = explained(text, form, question=Question(question, form, "") if question else None)
    click.echo(found.reading.answer or f"unread ({found.reading.reason})")
    for line in found.lines(text) if explain else ():
        click.echo(line)
