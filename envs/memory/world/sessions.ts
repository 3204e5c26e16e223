/** Builds the sessions from the beats and from everyday conversations. */

import { smallTalk } from "../tables/small-talk.js";
import { type Talk, talks } from "../tables/talks.js";
import type { Draw } from "./draw.js";
import { fill } from "./fill.js";
import type { Beat, Session, Turn } from "./history.js";

/** Everyday conversations of one history. None is repeated before all have been used. */
class Talks {
  private deck: [number, number][] = [];

  constructor(private readonly draw: Draw) {}

  next(): Turn[] {
    if (this.deck.length === 0) {
      const all = talks().flatMap(({ pairs }, talk) => pairs.map((_pair, at): [number, number] => [talk, at]));
      this.deck = this.draw.some(all, all.length);
    }
    const [at, pair] = this.deck.pop() as [number, number];
    const talk = talks()[at] as Talk;
    const [x = "", y = ""] = talk.pairs[pair] as readonly [string, string];
    const turns = [user(fill(this.draw.one(talk.ask), { x })), assistant(fill(this.draw.one(talk.answer), { y }))];
    if (this.draw.chance(3)) return turns;
    const [asked, answered] = this.draw.one(talk.more);
    return [...turns, user(asked), assistant(answered)];
  }
}

function user(text: string): Turn {
  return { speaker: "user", text };
}

function assistant(text: string): Turn {
  return { speaker: "assistant", text };
}

/** @param fillers minimum and maximum number of everyday conversations in a session */
export function sessionsOf(
  draw: Draw,
  days: readonly number[],
  beats: readonly Beat[],
  fillers: readonly [number, number],
): Session[] {
  const everyday = new Talks(draw);
  return days.map((day, at) => {
    const told = beats.filter((beat) => beat.at === at).map(({ turns }) => turns);
    const count = draw.number(...fillers) + (told.length === 0 ? 1 : 0);
    const talk = Array.from({ length: count }, () => everyday.next());
    return { id: `session-${at + 1}`, day, turns: joined(draw, mixed(draw, told, talk)) };
  });
}

/** Mixes beats and talk. The beats stay in their order. */
function mixed(draw: Draw, beats: Turn[][], talk: Turn[][]): Turn[][] {
  const blocks = [...talk];
  const places = draw.places(beats.length + talk.length, beats.length);
  for (const [at, place] of places.entries()) blocks.splice(place, 0, beats[at] as Turn[]);
  return blocks;
}

function joined(draw: Draw, blocks: readonly Turn[][]): Turn[] {
  const { greetings, transitions, thanks } = smallTalk();
  const turns = blocks.flatMap((block, at) => {
    const [first, ...rest] = block as [Turn, ...Turn[]];
    const start = at === 0 ? `${draw.one(greetings)} ` : draw.one(transitions);
    return [{ ...first, text: `${start}${first.text}` }, ...rest];
  });
  if (draw.chance(2)) return turns;
  const [bye, answer] = draw.one(thanks);
  return [...turns, user(bye), assistant(answer)];
}
