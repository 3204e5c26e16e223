/** Converts commands to texts that the parser understands without ambiguity. */
import { place, usualWords } from "../actions/action.js";
import { directionOf, nameOf } from "../engine/naming.js";
import type { Thing } from "../engine/thing.js";
import type { Game } from "../game.js";
import type { Command } from "../parser/parser.js";
import { fullReferents } from "../parser/referents.js";

/**
 * Returns the input for a command. If every wording is ambiguous, the input is an ambiguous wording, and the next input
 * answers the parser's question with the number of the command. If a question about a different command is open, the
 * input is a number that dismisses the question.
 *
 * @returns the input, or undefined if no words express the command
 */
export function worded(command: Command, game: Game): string | undefined {
  const { choices } = game.parser;
  if (choices) {
    const at = choices.findIndex((choice) => isSame(choice, command));
    return String(at === -1 ? choices.length : at);
  }
  const usual = textOf(command, (thing) => usualReferents(thing, game)[0]);
  if (meaningsBeside(command, usual, game) === 1) return usual;
  const clear = textOf(command, (thing) => clearestReferent(thing, command, game));
  return meaningsBeside(command, clear, game) > 0 ? clear : undefined;
}

function textOf({ action, objects }: Command, referentOf: (thing: Thing) => string | undefined): string {
  return usualWords(action)
    .flatMap((word, at) => [word, ...objects.slice(at, at + 1).map(referentOf)])
    .join(" ");
}

/** Returns the number of meanings of a text, or 0 if the command is not one of them. */
function meaningsBeside(command: Command, text: string, game: Game): number {
  const meanings = game.parser.meanings(text, game);
  return meanings.some((meaning) => isSame(meaning, command)) ? meanings.length : 0;
}

/** Returns a name that refers only to this thing, or else an ambiguous name. */
function clearestReferent(thing: Thing, { action }: Command, game: Game): string | undefined {
  // An oracle action can name more things than other actions; all other actions can name the same things.
  const verb = action.isOracle ? usualWords(action)[0] : "look at";
  const meant = (referent: string) =>
    game.parser.meanings(`${verb} ${referent}`, game).map(({ objects }) => objects[0] as Thing);
  const usual = usualReferents(thing, game).filter((referent) => meant(referent).includes(thing));
  const isClear = (referent: string) => meant(referent).length === 1;
  return usual.find(isClear) ?? ownReferents(thing, meant(usual[0] ?? ""), game).find(isClear) ?? usual[0];
}

/** Returns the names of a thing that none of the other things has, the shortest name first. */
function ownReferents(thing: Thing, others: readonly Thing[], game: Game): string[] {
  const referents = (one: Thing) => [...fullReferents(one, place(game))];
  const taken = new Set(others.filter((other) => other !== thing).flatMap(referents));
  return referents(thing)
    .filter((referent) => !taken.has(referent))
    .sort((one, other) => one.length - other.length);
}

/**
 * Returns the usual names of a thing: for a door its direction; for other things the name, alone and with the
 * container.
 */
function usualReferents(thing: Thing, game: Game): string[] {
  const direction = directionOf(thing, place(game));
  if (direction) return [direction];
  const names = [thing.name, nameOf(thing)];
  return [...names, ...names.map((name) => `${name} in ${thing.container?.name}`)];
}

function isSame(one: Command, other: Command): boolean {
  return one.action === other.action && one.objects.every((thing, at) => thing === other.objects[at]);
}
