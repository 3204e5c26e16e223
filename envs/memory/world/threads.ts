/** Threads: the statements of the user about one subject, spread over the sessions of a history. */
import type { Attribute } from "../tables/attributes.js";
import type { Choice } from "../tables/choices.js";
import type { EventKind } from "../tables/events.js";
import type { Fact } from "../tables/facts.js";
import type { Occasion } from "../tables/occasions.js";
import { smallTalk } from "../tables/small-talk.js";
import type { Draw } from "./draw.js";
import { fill } from "./fill.js";
import { type Beat, labelOf, type Person, type Statement } from "./history.js";
import type { Limits } from "./options.js";

type Values = Readonly<Record<string, string>>;

/** Draws `count` indices of sessions that differ by at least `gap`. @param sessions number of sessions */
export function placesApart(draw: Draw, sessions: number, count: number, gap: number): number[] {
  const spare = (count - 1) * (gap - 1);
  return draw.places(sessions - spare, count).map((place, at) => place + at * (gap - 1));
}

function said(draw: Draw, at: number, templates: readonly string[], values: Values, statement: Statement): Beat {
  return { at, turns: [{ speaker: "user", text: fill(draw.one(templates), values), statement }] };
}

function replied(draw: Draw, beat: Beat, replies: readonly string[], values: Values): Beat {
  return { at: beat.at, turns: [...beat.turns, { speaker: "assistant", text: fill(draw.one(replies), values) }] };
}

export interface ValueThread {
  beats: Beat[];
  /**
   * Consecutive values. A value is valid from the day of the session whose index `places` contains at the same
   * position.
   */
  values: string[];
  places: number[];
}

/**
 * Returns a thread in which the user states a value and later replaces it with new values.
 *
 * @param gap minimum number of sessions between statements, at least 2
 */
export function valueThread(
  draw: Draw,
  sessions: number,
  attribute: Attribute,
  { holds, gap, isCorrected, ideas }: { holds: number; gap: number; isCorrected: boolean; ideas: number },
): ValueThread {
  const { topic, replies } = attribute;
  const pool = draw.some(attribute.values, holds + 1 + ideas);
  if (attribute.falls) pool.sort().reverse();
  const wrongAt = isCorrected ? draw.number(0, holds - 1) : -1;
  const places = placesApart(draw, sessions - 1, holds, gap);
  const values: string[] = [];
  const beats: Beat[] = [];
  let old = "";
  for (const [at, place] of places.entries()) {
    const stated = pool.shift() as string;
    const state = { kind: "holds", who: "user", topic, value: stated } as const;
    const beat = said(draw, place, at === 0 ? attribute.first : attribute.change, { v: stated, old }, state);
    beats.push(replied(draw, beat, replies, { v: stated }));
    old = stated;
    if (at === wrongAt) {
      old = pool.shift() as string;
      const correct = { kind: "corrected", who: "user", topic, value: old } as const;
      const back = said(draw, place + 1, attribute.correct, { v: old, wrong: stated }, correct);
      beats.push(replied(draw, back, smallTalk().corrections, {}));
    }
    values.push(old);
  }
  beats.push(...ideaBeats(draw, sessions, attribute, pool.slice(pool.length - ideas)));
  return { beats, values, places };
}

/** Returns beats in which the user considers values without deciding on one. */
export function ideaBeats(draw: Draw, sessions: number, { topic, idea }: Attribute, values: readonly string[]): Beat[] {
  return values.map((value) => {
    const beat = said(draw, draw.number(0, sessions - 1), idea, { v: value }, { kind: "considered", topic, value });
    return replied(draw, beat, smallTalk().musings, {});
  });
}

/** Returns the beat in which the user states another person's value. This person has no other value in the history. */
export function otherBeat(draw: Draw, sessions: number, attribute: Attribute, person: Person, value: string): Beat {
  const { topic, other = [] } = attribute;
  const statement = { kind: "holds", who: person.name, topic, value } as const;
  const beat = said(draw, draw.number(0, sessions - 1), other, { who: labelOf(person), v: value }, statement);
  return replied(draw, beat, smallTalk().courtesies, { name: person.name });
}

export function factBeat(draw: Draw, sessions: number, { topic, say, replies }: Fact, value: string): Beat {
  const statement = { kind: "holds", who: "user", topic, value } as const;
  return replied(draw, said(draw, draw.number(0, sessions - 1), say, { v: value }, statement), replies, { v: value });
}

export interface EventThread {
  beats: Beat[];
  /** Events, sorted by day. */
  items: string[];
  amounts: number[];
}

/**
 * Returns a thread of events of one kind, each in a separate session. The user mentions some events again and misses
 * other events.
 */
export function eventThread(
  draw: Draw,
  sessions: number,
  kind: EventKind,
  { count, isPaid, recalls, misses }: { count: number; isPaid: boolean; recalls: number; misses: number },
): EventThread {
  const { topic, replies } = kind;
  const pool = draw.some(kind.items, count + misses);
  const items = pool.slice(0, count);
  const amounts = items.map(() => (isPaid ? draw.number(8, 95) : 0));
  const places = draw.places(sessions, count);
  const beats = items.map((value, at) => {
    const [place, amount] = [places[at] as number, amounts[at] as number];
    const statement = { kind: "event", topic, value, amount } as const;
    return replied(draw, said(draw, place, kind.did, { x: value, amount: `€${amount}` }, statement), replies, {});
  });
  for (const value of draw.some(items, recalls)) {
    const after = places[items.indexOf(value)] as number;
    if (after + 1 >= sessions) continue;
    const at = draw.number(after + 1, sessions - 1);
    beats.push(
      replied(draw, said(draw, at, kind.again, { x: value }, { kind: "recalled", topic, value }), smallTalk().nods, {}),
    );
  }
  for (const value of pool.slice(count)) {
    const amount = `€${draw.number(8, 95)}`;
    const beat = said(
      draw,
      draw.number(0, sessions - 1),
      kind.miss,
      { x: value, amount },
      { kind: "missed", topic, value },
    );
    beats.push(replied(draw, beat, smallTalk().nods, {}));
  }
  return { beats, items, amounts };
}

export interface ProposalThread {
  beats: Beat[];
  own: string;
  assistant: string;
  third: string;
}

/** Returns a thread with one session that contains a proposal of the user, of the assistant and of another person. */
export function proposalThread(draw: Draw, sessions: number, occasion: Occasion, person: Person): ProposalThread {
  const { topic } = occasion;
  const [own = "", assistant = "", third = ""] = draw.some(occasion.values, 3);
  const proposed = (who: string, value: string): Statement => ({ kind: "proposed", topic, who, value });
  const text = (templates: readonly string[], x: string) => fill(draw.one(templates), { x, who: labelOf(person) });
  const beat: Beat = {
    at: draw.number(0, sessions - 1),
    turns: [
      { speaker: "user", text: text(occasion.own, own), statement: proposed("user", own) },
      { speaker: "assistant", text: text(occasion.assistant, assistant), statement: proposed("assistant", assistant) },
      { speaker: "user", text: text(occasion.third, third), statement: proposed(person.name, third) },
      { speaker: "assistant", text: fill(draw.one(occasion.close), {}) },
    ],
  };
  return { beats: [beat], own, assistant, third };
}

export interface LimitThread {
  beats: Beat[];
  limits: Limits;
}

export function limitThread(
  draw: Draw,
  sessions: number,
  choice: Choice,
  people: readonly Person[],
  counts: Record<"active" | "lifted" | "others", number>,
): LimitThread {
  const { topic, replies } = choice;
  const ids = draw.some(choice.limits, counts.active + counts.lifted + counts.others);
  const lifted = ids.splice(0, counts.lifted);
  const others = ids.splice(0, counts.others);
  const beats: Beat[] = [];
  const tell = (at: number, templates: readonly string[], statement: Statement, values: Values = {}) =>
    beats.push(replied(draw, said(draw, at, templates, values, statement), replies, {}));
  for (const { id, say } of ids)
    tell(draw.number(0, sessions - 1), say, { kind: "limited", who: "user", topic, value: id });
  for (const { id, say, lift } of lifted) {
    const [from = 0, to = 0] = draw.places(sessions, 2);
    tell(from, say, { kind: "limited", who: "user", topic, value: id });
    tell(to, lift, { kind: "lifted", who: "user", topic, value: id });
  }
  for (const { id, other } of others) {
    const person = draw.one(people);
    const statement = { kind: "limited", who: person.name, topic, value: id } as const;
    tell(draw.number(0, sessions - 1), [other], statement, { who: labelOf(person) });
  }
  const active = ids.map(({ id }) => id);
  const free = choice.limits.map(({ id }) => id).filter((id) => !active.includes(id));
  return { beats, limits: { active, lifted: lifted.map(({ id }) => id), free } };
}
