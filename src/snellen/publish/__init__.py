"""Results to hand on: a folder with everything an exam's numbers rest on, its verification, and a board of many."""

from snellen.publish.board import write_board
from snellen.publish.publishing import publish
from snellen.publish.verification import Verification, verify

__all__ = ["Verification", "publish", "verify", "write_board"]
