"""The tools about a person: what is known about them, what is forgotten, and what their memories name."""

from collections.abc import Callable

from strata.domain.assembly.prompt import block, entry
from strata.domain.errors import InvalidRequest
from strata.domain.scope import Scope
from strata.entrypoints.http.api.identity import owner_of
from strata.entrypoints.mcp import arguments as args
from strata.entrypoints.mcp import texts
from strata.entrypoints.mcp.protocol import Outcome
from strata.entrypoints.mcp.shelf import Shelf
from strata.entrypoints.mcp.tools import Preset
from strata.services.context.answers import statement
from strata.services.context.questions import About

Naming = Callable[[Scope, str], str]
"""The person whose memories a tool reaches that names a user; raises `OwnedByAnother` where it may not."""


def as_named(caller: Scope, user: str) -> str:
    """Let a tool reach the memories of any user of the tenant."""
    return user


class PersonTools:
    """The tools about a person, for one caller.

    Args:
        shelf: the services.
        caller: the tenant and its permissions.
        preset: the model's presets.
        naming: decides whose memories a tool reaches that names a user.
    """

    def __init__(self, shelf: Shelf, caller: Scope, preset: Preset, naming: Naming = as_named) -> None:
        self._shelf = shelf
        self._caller = caller
        self._preset = preset
        self._naming = naming

    def ask(self, given: args.AskArguments) -> Outcome:
        """Answer a question with what is known, and its sources."""
        answer, away = self._shelf.answers.ask(self._caller, self._about(given), given.question)
        told = [f"{each.text} ({', '.join(each.sources)})" for each in answer.sentences]
        known = block("conclusions", [entry(each) for each in told]) if told else answer.answer
        return Outcome(f"{texts.AWAY if 'index' in away else ''}{known}")

    def forget(self, given: args.ForgetArguments) -> Outcome:
        """Forget what the ids name, or show what a text means with its ids.

        Raises:
            InvalidRequest: both are given, or neither.
        """
        if bool(given.query.strip()) == bool(given.ids):
            raise InvalidRequest.of("query", "or ids must be given, and not both")
        if given.ids:
            gone = self._shelf.forgetting.forget(self._caller, self._about(given), given.ids)
            return Outcome(texts.forgotten(map(statement, gone), len(given.ids)))
        meant = self._shelf.forgetting.matching(self._caller, self._about(given), given.query)
        away = texts.AWAY if meant.degraded else ""
        return Outcome(f"{away}{texts.to_forget(map(statement, meant.items))}")

    def entity(self, given: args.EntityArguments) -> Outcome:
        """Give the page of what a name or an id means; several are named, to ask for one of them."""
        owner = self._owner(given.user_id)
        sight = self._shelf.entities.sight(self._caller, None, given.project or self._preset.project)
        found = self._shelf.entities.called(self._caller, owner, given.entity, sight)
        if len(found) > 1:
            return Outcome(texts.namesakes(found))
        return Outcome(texts.page(self._shelf.entities.page(self._caller, owner, found[0].id, sight)))

    def _about(self, given: args.AskArguments | args.ForgetArguments) -> About:
        return About(self._owner(given.user_id), None, given.project or self._preset.project)

    def _owner(self, named: str | None) -> str:
        """The person whose memories a call asks about.

        Raises:
            OwnedByAnother: the call is of a device of another user's.
        """
        named = self._naming(self._caller, named) if named else self._preset.user_id
        return owner_of(self._caller, named)
