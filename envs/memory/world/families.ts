/**
 * The families of questions. Each family creates the statements that a question asks about, and the expected answer.
 */

import { once } from "../../shared/kept/data-file.js";
import { type Attribute, attributes } from "../tables/attributes.js";
import { type Choice, choices } from "../tables/choices.js";
import { type EventKind, eventKinds } from "../tables/events.js";
import { type Fact, facts } from "../tables/facts.js";
import { type Occasion, occasions } from "../tables/occasions.js";
import { type Option, type Query, unknown } from "./answers.js";
import { dateOf } from "./dates.js";
import type { Draw } from "./draw.js";
import { fill } from "./fill.js";
import { type Beat, labelOf, type Person } from "./history.js";
import type { Scale } from "./lengths.js";
import { drawOptions } from "./options.js";
import { eventThread, factBeat, ideaBeats, limitThread, otherBeat, proposalThread, valueThread } from "./threads.js";

/** Data of a history to which a family adds its statements. */
export interface Stage {
  draw: Draw;
  scale: Scale;
  /** Days of the sessions. */
  days: readonly number[];
  people: readonly Person[];
}

export interface Plot {
  question: string;
  query: Query;
  /**
   * Answer that the family expects, computed without reading the sessions. Null if the history does not contain the
   * answer.
   */
  answer: string | null;
  beats: Beat[];
}

/** A subject that a question asks about. It is the same for all lengths of the history. */
export interface Subject {
  topic: string;
  /** Topic of a second question. */
  otherTopic?: string;
  title: string;
  plot(stage: Stage): Plot;
}

export type Family = "fact" | "update" | "date" | "events" | "choice" | "speaker" | "pair";

const shared = once(() => attributes().filter(({ other, otherNow }) => other && otherNow));
const answerBoth = "Answer both in this order, separated by a comma, and write unknown for what I never told you.";
const ordered = once(() => eventKinds().counted.filter(({ askOrder }) => askOrder));

/** Draws the subject of a question of the family. */
export const families: Record<Family, (draw: Draw) => Subject> = {
  fact: told,
  update: (draw) => update(draw.one(attributes())),
  date: (draw) => atDate(draw.one(attributes())),
  events: (draw) =>
    draw.one([
      () => count(draw.one(eventKinds().counted)),
      () => sum(draw.one(eventKinds().paid)),
      () => order(draw.one(ordered())),
      () => place(draw.one(ordered())),
    ])(),
  choice: (draw) => choice(draw.one(choices())),
  speaker: (draw) => speaker(draw.one(occasions())),
  pair: (draw) => pair(draw, told(draw), draw.chance(4) ? told : never),
};

function told(draw: Draw): Subject {
  return draw.one([
    () => fact(draw.one(facts())),
    () => stated(draw.one(attributes())),
    () => stated(draw.one(shared()), true),
  ])();
}

function never(draw: Draw): Subject {
  return draw.one([
    () => neverTold(draw.one(attributes())),
    () => neverOfOther(draw.one(shared())),
    () => neverFact(draw.one(facts())),
  ])();
}

/**
 * Returns a subject with two questions, of which the sessions may not answer one. The answer to a single question without
 * an answer would be the same in all tasks, so that an agent could give it without looking.
 */
function pair(draw: Draw, known: Subject, drawOther: (draw: Draw) => Subject): Subject {
  let other = drawOther(draw);
  while (other.topic === known.topic) other = drawOther(draw);
  const order = draw.some([known, other], 2);
  const plot = (stage: Stage): Plot => {
    const plots = order.map((subject) => subject.plot(stage));
    return {
      question: `${plots.map(({ question }) => question).join(" And: ")} ${answerBoth}`,
      query: { kind: "both", topic: known.topic, queries: plots.map(({ query }) => query) },
      answer: plots.map(({ answer }) => answer ?? unknown).join(", "),
      beats: plots.flatMap(({ beats }) => beats),
    };
  };
  const title = order.map((subject) => subject.title).join(", and ");
  return { topic: known.topic, otherTopic: other.topic, title, plot };
}

function fact(fact: Fact): Subject {
  const { topic, title } = fact;
  const plot = ({ draw, scale }: Stage): Plot => {
    const answer = draw.one(fact.values);
    const beats = [factBeat(draw, scale.sessions, fact, answer)];
    return { question: draw.one(fact.ask), query: { kind: "value", who: "user", topic }, answer, beats };
  };
  return { topic, title, plot };
}

/**
 * Returns a subject whose value is stated in one session, for the user or for another person. Each person has a
 * different value.
 */
function stated(attribute: Attribute, isOthers = false): Subject {
  const { topic, title } = attribute;
  const plot = ({ draw, scale, people }: Stage): Plot => {
    const { sessions } = scale;
    const [asked, ...rest] = draw.some(people, 3) as [Person, Person, Person];
    const own = valueThread(draw, sessions, attribute, { holds: 1, gap: 2, isCorrected: false, ideas: 1 });
    const pool = draw.some(
      attribute.values.filter((value) => value !== own.values[0]),
      3,
    ) as [string, string, string];
    const others = attribute.other
      ? rest.map((person, at) => otherBeat(draw, sessions, attribute, person, pool[at + 1] as string))
      : [];
    if (!isOthers) {
      const query = { kind: "value", who: "user", topic } as const;
      return {
        question: draw.one(attribute.now),
        query,
        answer: own.values[0] as string,
        beats: [...own.beats, ...others],
      };
    }
    const beats = [...own.beats, ...others, otherBeat(draw, sessions, attribute, asked, pool[0])];
    const question = fill(draw.one(attribute.otherNow as string[]), { who: labelOf(asked) });
    return { question, query: { kind: "value", who: asked.name, topic }, answer: pool[0], beats };
  };
  return { topic, title, plot };
}

function othersOf({ draw, scale, people }: Stage, attribute: Attribute): Beat[] {
  if (!attribute.other) return [];
  return draw
    .some(people, 2)
    .map((person) => otherBeat(draw, scale.sessions, attribute, person, draw.one(attribute.values)));
}

function update(attribute: Attribute): Subject {
  const { topic, title } = attribute;
  const plot = (stage: Stage): Plot => {
    const { draw, scale } = stage;
    const thread = {
      holds: draw.number(2, scale.sessions > 10 ? 4 : 3),
      gap: 2,
      isCorrected: draw.chance(3),
      ideas: 1,
    };
    const { beats, values } = valueThread(draw, scale.sessions, attribute, thread);
    const query = { kind: "value", who: "user", topic } as const;
    const answer = values.at(-1) as string;
    return { question: draw.one(attribute.now), query, answer, beats: [...beats, ...othersOf(stage, attribute)] };
  };
  return { topic, title, plot };
}

function atDate(attribute: Attribute): Subject {
  const { topic, title } = attribute;
  const plot = (stage: Stage): Plot => {
    const { draw, scale, days } = stage;
    const thread = { holds: 3, gap: scale.gap, isCorrected: draw.chance(3), ideas: 1 };
    const { beats, values, places } = valueThread(draw, scale.sessions, attribute, thread);
    const at = draw.number(0, values.length - 2);
    const [from = 0, to = 0] = [places[at], places[at + 1]].map((place) => days[place as number] as number);
    const day = Math.floor((from + to) / 2);
    const question = fill(draw.one(attribute.at), { date: dateOf(day) });
    const query = { kind: "valueAt", who: "user", topic, day } as const;
    return { question, query, answer: values[at] as string, beats: [...beats, ...othersOf(stage, attribute)] };
  };
  return { topic, title, plot };
}

function events(
  kind: EventKind,
  least: number,
  isPaid: boolean,
  ask: (draw: Draw, items: string[], amounts: number[]) => Omit<Plot, "beats">,
): Subject {
  const plot = ({ draw, scale }: Stage): Plot => {
    const size = { count: draw.number(least, scale.events), isPaid, recalls: 2, misses: 2 };
    const { beats, items, amounts } = eventThread(draw, scale.sessions, kind, size);
    return { ...ask(draw, items, amounts), beats };
  };
  return { topic: kind.topic, title: kind.title, plot };
}

function count(kind: EventKind): Subject {
  const query = { kind: "count", topic: kind.topic } as const;
  return events(kind, 2, false, (draw, items) => ({ question: draw.one(kind.ask), query, answer: `${items.length}` }));
}

function sum(kind: EventKind): Subject {
  const query = { kind: "sum", topic: kind.topic } as const;
  const total = (amounts: number[]) => `${amounts.reduce((one, other) => one + other, 0)}`;
  return events(kind, 3, true, (draw, _items, amounts) => ({
    question: draw.one(kind.ask),
    query,
    answer: total(amounts),
  }));
}

function order(kind: EventKind): Subject {
  return events(kind, 4, false, (draw, items) => {
    const asked = draw.some(items, 4);
    const question = `${draw.one(kind.askOrder as string[])}: ${asked.join(", ")}? Name the earliest first.`;
    const answer = items.filter((item) => asked.includes(item)).join(", ");
    return { question, query: { kind: "order", topic: kind.topic, items: asked }, answer };
  });
}

function place(kind: EventKind): Subject {
  return events(kind, 4, false, (draw, items) => {
    const at = draw.number(2, 4);
    const name = ["second", "third", "fourth"][at - 2] as string;
    const question = fill(draw.one(kind.askPlace as string[]), { place: name });
    return { question, query: { kind: "place", topic: kind.topic, place: at }, answer: items[at - 1] as string };
  });
}

function choice(choice: Choice): Subject {
  const { topic, title } = choice;
  const plot = ({ draw, scale, people }: Stage): Plot => {
    const counts = { active: 4, lifted: draw.number(1, 2), others: 1 };
    const { beats, limits } = limitThread(draw, scale.sessions, choice, people, counts);
    const [right, ...wrong] = drawOptions(draw, choice, limits) as [Option, ...Option[]];
    const options = draw.some([right, ...wrong], wrong.length + 1);
    const list = options.map(({ name, features }, at) => `${at + 1}. ${name}: ${features.join(", ")}`);
    const question = `${draw.one(choice.ask)} Answer with the name.\n${list.join("\n")}`;
    return { question, query: { kind: "choice", topic, options }, answer: right.name, beats };
  };
  return { topic, title, plot };
}

function speaker(occasion: Occasion): Subject {
  const { topic, title } = occasion;
  const plot = ({ draw, scale, people }: Stage): Plot => {
    const person = draw.one(people);
    const { beats, own, assistant, third } = proposalThread(draw, scale.sessions, occasion, person);
    const label = labelOf(person);
    const proposals: [string, string, string][] = [
      ["user", own, `What was my own idea for ${title}, before I heard others?`],
      ["assistant", assistant, `What did you, the assistant, suggest for ${title}?`],
      [person.name, third, `What did ${label} suggest for ${title}?`],
    ];
    const [who, value, ask] = draw.one(proposals);
    if (!draw.chance(5)) return { question: ask, query: { kind: "proposal", topic, who }, answer: value, beats };
    const question = `Who came up with ${value} for ${title}? Answer with "user", "assistant" or the person's first name.`;
    return { question, query: { kind: "proposer", topic, value }, answer: who, beats };
  };
  return { topic, title: `suggestions for ${title}`, plot };
}

/**
 * Returns a subject without an answer: the user never states their own value. They only consider values, or
 * state the values of other people.
 */
function neverTold(attribute: Attribute): Subject {
  const { topic, title } = attribute;
  const plot = (stage: Stage): Plot => {
    const { draw, scale } = stage;
    const ideas = ideaBeats(draw, scale.sessions, attribute, draw.some(attribute.values, draw.number(1, 2)));
    const query = { kind: "value", who: "user", topic } as const;
    return { question: draw.one(attribute.now), query, answer: null, beats: [...ideas, ...othersOf(stage, attribute)] };
  };
  return { topic, title, plot };
}

/**
 * Returns a subject without an answer: the user states their own value and the values of other people, but not
 * the value of the person in the question.
 */
function neverOfOther(attribute: Attribute): Subject {
  const { topic, title } = attribute;
  const plot = (stage: Stage): Plot => {
    const { draw, scale, people } = stage;
    const [asked, ...rest] = draw.some(people, people.length) as [Person, ...Person[]];
    const own = valueThread(draw, scale.sessions, attribute, { holds: 2, gap: 2, isCorrected: false, ideas: 0 });
    const beats = [...own.beats, ...othersOf({ ...stage, people: rest }, attribute)];
    const question = fill(draw.one(attribute.otherNow as string[]), { who: labelOf(asked) });
    return { question, query: { kind: "value", who: asked.name, topic }, answer: null, beats };
  };
  return { topic, title, plot };
}

function neverFact({ topic, title, ask }: Fact): Subject {
  const query = { kind: "value", who: "user", topic } as const;
  return { topic, title, plot: ({ draw }) => ({ question: draw.one(ask), query, answer: null, beats: [] }) };
}
