import { Draw } from "../../shared/rng/draw.js";
import {
  clock,
  drawHabit,
  type Habit,
  historyOf,
  type Stage,
  type TopicName,
  topicNames,
  topics,
  vocabularies,
} from "./topics.js";

/** Occupations of the user. In some of them, a proposal disturbs; which, is a habit. */
export const occupations = ["focus", "lunch", "a call"] as const;

/** A piece of news. */
export interface Item {
  /** Such as `e1` for an entry of the calendar and `m2` for a mail. */
  id: string;
  topic: TopicName;
  text: string;
  /** The proposal that the user would want, such as `remind e1 30`, or null. */
  wanted: string | null;
  /** Index of the moment at which the news comes. */
  from: number;
  /** Index of the last moment at which a proposal is in time: the first that does not disturb. */
  until: number;
}

export interface Moment {
  time: string;
  occupation: string | null;
  /** Whether a proposal at this moment disturbs. */
  isBusy: boolean;
}

export interface Day {
  moments: readonly Moment[];
  /** In the order of their moments. */
  items: readonly Item[];
  /** Lines of the history by topic, and by the name `pauses` for the occupations. */
  history: ReadonlyMap<string, readonly string[]>;
}

export interface Shape {
  vocabulary: "train" | "test";
  topics: readonly TopicName[];
  moments: number;
  /** Lowest and highest number of wanted proposals. */
  wanted: readonly [number, number];
  /** Lines of the history for each case. */
  rounds: number;
}

export const pauses = "pauses";

/** Draws the day of a user, with one piece of news at each moment. Equal arguments always give the same day. */
export function drawDay(shape: Shape, seed: bigint): Day {
  const draw = new Draw(seed);
  const stage: Stage = { draw, vocabulary: vocabularies()[shape.vocabulary], limit: draw.number(60, 160) };
  const names = topicNames.filter((name) => shape.topics.includes(name));
  const habits = new Map(names.map((name) => [name, drawHabit(draw, topics[name])]));
  const history = new Map<string, readonly string[]>(
    names.map((name) => [name, historyOf(stage, topics[name], habits.get(name) as Habit, shape.rounds)]),
  );
  const busy = draw.some(occupations, draw.number(1, 2));
  history.set(pauses, pauseLines(draw, busy, shape.rounds));
  const moments = drawMoments(draw, shape.moments, busy);
  const count = draw.number(...shape.wanted);
  const wanted = draw.some(
    moments.map((_, at) => at),
    count,
  );
  const counts = { e: 0, m: 0 };
  const items = moments.map((_, from): Item => {
    const topic = draw.one(names);
    const { letter } = topics[topic];
    const id = `${letter}${++counts[letter]}`;
    const until = moments.findIndex(({ isBusy }, at) => at >= from && !isBusy);
    return { id, topic, from, until, ...news(stage, topic, habits.get(topic) as Habit, id, wanted.includes(from)) };
  });
  return { moments, items, history };
}

function news(stage: Stage, name: TopicName, habit: Habit, id: string, isWanted: boolean) {
  const topic = topics[name];
  const [chosen, argument] = stage.draw.one([...habit].filter(([, choice]) => (choice !== null) === isWanted));
  const wanted = argument === null ? null : `${topic.verb} ${id} ${argument}`.trimEnd();
  return { text: topic.describe(stage, chosen, false), wanted };
}

function pauseLines(draw: Draw, busy: readonly string[], rounds: number): string[] {
  const lines = Array.from({ length: rounds }, () => [...occupations]).flat();
  return draw
    .some(lines, lines.length)
    .map((each) => `a proposal in ${each}: ${busy.includes(each) ? "dismissed, try later" : "looked at"}`);
}

/** Draws the moments of a day in order of their times. The last one never disturbs. */
function drawMoments(draw: Draw, count: number, busy: readonly string[]): Moment[] {
  const gap = Math.floor(780 / count);
  return Array.from({ length: count }, (_, at) => {
    const isLast = at === count - 1;
    const occupation = !isLast && draw.happens(0.5) ? draw.one(occupations) : null;
    const time = clock(420 + at * gap + draw.number(0, gap - 5));
    return { time, occupation, isBusy: occupation !== null && busy.includes(occupation) };
  });
}
