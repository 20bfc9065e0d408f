"""Tests that are told as stories, all at once, each in a process and on a network of its own."""

import multiprocessing
import sys

import lan
from stage import Failed


def say(text):
    print(text, flush=True)


def tell(story, words):
    try:
        story(*words)
    except Failed as failure:
        say(f"{story.__name__}: {failure}")
        sys.exit(1)


def main(stories, *more, given=0):
    """FILE TOOL [WORD]... [STORY]...: every story gets the tool, so many given words, and more."""
    if not lan.possible():
        say("skipped: this machine does not let us make network namespaces")
        return 77
    words, chosen = sys.argv[1 : 2 + given], sys.argv[2 + given :]
    told = [
        multiprocessing.Process(target=tell, args=(story, [*words, *more]))
        for story in stories
        if not chosen or story.__name__ in chosen
    ]
    for each in told:
        each.start()
    for each in told:
        each.join()
    return 0 if told and all(each.exitcode == 0 for each in told) else 1
