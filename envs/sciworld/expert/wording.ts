/** How to say a command so that it is taken for that and nothing else. */
import { usualWords } from "../actions/action.js";
import { nameOf } from "../engine/naming.js";
import type { Thing } from "../engine/thing.js";
import type { Game } from "../game.js";
import type { Command } from "../parser/parser.js";
import { fullReferents } from "../parser/referents.js";

/** With which a referent is tried. */
const looking = "look at";

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
  const names = command.objects.map((thing) => referentFor(thing, command, game));
  if (names.includes(undefined)) return undefined;
  const text = usualWords(command.action)
    .flatMap((word, at) => [word, ...names.slice(at, at + 1)])
    .join(" ");
  return game.parser.meanings(text, game).some((meaning) => isSame(meaning, command)) ? text : undefined;
}

/** By which nothing else is meant, if it can be had. */
function referentFor(thing: Thing, { action }: Command, game: Game): string | undefined {
  const meanings = (referent: string) => {
    const verb = action.isOracle ? usualWords(action)[0] : looking;
    return game.parser.meanings(`${verb} ${referent}`, game).map(({ objects }) => objects[0]);
  };
  let ambiguous: string | undefined;
  for (const referent of referentsInOrder(thing, game.agent.container as Thing)) {
    const meant = meanings(referent);
    if (!meant.includes(thing)) continue;
    if (meant.length === 1) return referent;
    ambiguous ??= referent;
  }
  return ambiguous;
}

/** Its own name first, then with what it is in, then all others. */
function referentsInOrder(thing: Thing, place: Thing): string[] {
  const all = fullReferents(thing, place);
  const names = [thing.name, nameOf(thing)].map((name) => name.toLowerCase());
  const within = thing.container?.name.toLowerCase();
  const usual = [...names, ...names.map((name) => `${name} in ${within}`)].filter((name) => all.has(name));
  return [...new Set([...usual, ...[...all].sort()])];
}

function isSame(one: Command, other: Command): boolean {
  return one.action === other.action && one.objects.every((thing, at) => thing === other.objects[at]);
}
