/** How to say a command so that it is taken for that and nothing else. */
import { place, usualWords } from "../actions/action.js";
import { directionOf, nameOf } from "../engine/naming.js";
import type { Thing } from "../engine/thing.js";
import type { Game } from "../game.js";
import type { Command } from "../parser/parser.js";
import { fullReferents } from "../parser/referents.js";

/**
 * As it has to be typed. Where every wording means other things, too, it is one of these, and the question that comes of
 * it is answered by its number; where another question is open, that one is given up.
 *
 * @returns undefined where there are no words for it
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

/** How many meanings a text has, that command among them; 0: it means others, or nothing. */
function meaningsBeside(command: Command, text: string, game: Game): number {
  const meanings = game.parser.meanings(text, game);
  return meanings.some((meaning) => isSame(meaning, command)) ? meanings.length : 0;
}

/** By which it alone is meant, if it can be had. */
function clearestReferent(thing: Thing, { action }: Command, game: Game): string | undefined {
  // An action that sees everything tells its own things apart; others all see the same.
  const verb = action.isOracle ? usualWords(action)[0] : "look at";
  const meant = (referent: string) =>
    game.parser.meanings(`${verb} ${referent}`, game).map(({ objects }) => objects[0] as Thing);
  const usual = usualReferents(thing, game).filter((referent) => meant(referent).includes(thing));
  const isClear = (referent: string) => meant(referent).length === 1;
  return usual.find(isClear) ?? ownReferents(thing, meant(usual[0] ?? ""), game).find(isClear) ?? usual[0];
}

/** That none of these others has. The shortest first. */
function ownReferents(thing: Thing, others: readonly Thing[], game: Game): string[] {
  const referents = (one: Thing) => [...fullReferents(one, place(game))];
  const taken = new Set(others.filter((other) => other !== thing).flatMap(referents));
  return referents(thing)
    .filter((referent) => !taken.has(referent))
    .sort((one, other) => one.length - other.length);
}

/** Of a door where it leads, of anything else its own name first, then that with what it is in. */
function usualReferents(thing: Thing, game: Game): string[] {
  const direction = directionOf(thing, place(game));
  if (direction) return [direction];
  const names = [thing.name, nameOf(thing)];
  return [...names, ...names.map((name) => `${name} in ${thing.container?.name}`)];
}

function isSame(one: Command, other: Command): boolean {
  return one.action === other.action && one.objects.every((thing, at) => thing === other.objects[at]);
}
