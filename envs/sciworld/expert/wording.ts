/** How to say a command so that it is taken for that and nothing else. */
import { usualWords } from "../actions/action.js";
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
  const usual = textOf(command, (thing) => referentsInOrder(thing, game)[0]);
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

/** By itself it means fewest things. */
function clearestReferent(thing: Thing, { action }: Command, game: Game): string | undefined {
  // An action that sees everything tells its own things apart; others all see the same.
  const verb = action.isOracle ? usualWords(action)[0] : "look at";
  let clearest: string | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const referent of referentsInOrder(thing, game)) {
    const meant = game.parser.meanings(`${verb} ${referent}`, game).map(({ objects }) => objects[0]);
    if (!meant.includes(thing) || meant.length >= fewest) continue;
    [clearest, fewest] = [referent, meant.length];
    if (fewest === 1) break;
  }
  return clearest;
}

/** Of a door where it leads, of anything else its own name first, then that with what it is in, then all others. */
function referentsInOrder(thing: Thing, { agent }: Game): string[] {
  const place = agent.container as Thing;
  const all = fullReferents(thing, place);
  const names = [thing.name, nameOf(thing)].map((name) => name.toLowerCase());
  const within = thing.container?.name.toLowerCase();
  const usual = [...names, ...names.map((name) => `${name} in ${within}`)].filter((name) => all.has(name));
  return [...new Set([directionOf(thing, place) ?? [], usual, [...all].sort()].flat())];
}

function isSame(one: Command, other: Command): boolean {
  return one.action === other.action && one.objects.every((thing, at) => thing === other.objects[at]);
}
