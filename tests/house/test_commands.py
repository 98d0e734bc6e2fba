"""The documents name the commands that there are."""

import re

from arena.cli.app import app
from tests.house.project import Project


def test_every_command_named_in_the_documents_is_there(project: Project) -> None:
    known = {
        command.name or command.callback.__name__
        for command in app.registered_commands
        if command.callback
    }
    known |= {group.name for group in app.registered_groups if group.name}
    named = {
        command
        for document in project.documents
        for command in re.findall(r"(?:`|^\$ |^)arena ([a-z]+)", document.read_text(), re.MULTILINE)
    }
    assert named - known == set()
    assert known - named == set(), "a command that no document tells of"
