"""Strict YAML, read into values that know their place in the file.

It knows YAML and the types that other rooms declare; it never knows what a key means, and opens no
file. All that is wrong with a document is told at once, each fault with its line and key.

What is read is YAML 1.2's core schema less what surprises people: no anchors, aliases, merge keys,
tags or directives, one document, no key twice. A plain word is judged by the type that is wanted:
``version: 1.10`` is the text "1.10", and ``yes`` is text and no bool.

Types are frozen `msgspec.Struct`, whose fields are text, numbers, bools, literals, None, structs,
tuples, lists and unions of these. `msgspec.Meta` sets ranges, and its `extra` two things more:
``{"unit": "bytes"}`` reads sizes such as ``256MiB``; ``{"check": f}`` calls ``f(text)``, which
says what is wrong with the text and what to do, or returns None.
"""

from arena.documents.nodes import MAX_BYTES
from arena.documents.section import Section, by_line, open_document, read

__all__ = ["MAX_BYTES", "Section", "by_line", "open_document", "read"]
