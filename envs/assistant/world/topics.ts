/**
 * Topics of the news that an assistant may act on. In each topic the user treats a few cases differently, and always in the
 * same way: that is a habit. A proposal is a verb, the id of the news and, for most topics, an argument.
 */
import { jsonFile } from "../../shared/kept/data-file.js";
import type { Draw } from "../../shared/rng/draw.js";

export const topicNames = ["reminders", "answers", "moves", "trips", "bills"] as const;
export type TopicName = (typeof topicNames)[number];

const places = ["office", "online", "outside"] as const;

/** Names of the news of a split. The splits for training and for tests share none. */
export interface Vocabulary {
  entries: Readonly<Record<(typeof places)[number], readonly string[]>>;
  people: readonly string[];
  own: readonly string[];
  trips: readonly string[];
  billers: readonly string[];
}

export const vocabularies = jsonFile<Readonly<Record<"train" | "test", Vocabulary>>>(
  new URL("../data/vocabulary.json", import.meta.url),
);

export interface Stage {
  draw: Draw;
  vocabulary: Vocabulary;
  /** Highest amount in euros of a bill that the user pays without a question. */
  limit: number;
}

/** Argument that the user wants for each case, or null if the user wants no proposal. */
export type Habit = ReadonlyMap<string, string | null>;

export interface Topic {
  verb: string;
  /** First letter of the ids of the news: `e` for entries of the calendar, `m` for mails. */
  letter: "e" | "m";
  cases: readonly string[];
  /** Possible arguments, or one empty text if the verb has none. */
  choices: readonly string[];
  /** Whether the first case never wants a proposal, and the other always does. */
  isFixed?: boolean;
  /** Format of the argument: its name for the agent, and its pattern. */
  argument?: { name: string; pattern: RegExp };
  /** Returns the news of a case in a few words. @param isEdge whether a number is the nearest to that of another case */
  describe(stage: Stage, case_: string, isEdge: boolean): string;
  /** Returns what the user did in an earlier case. */
  deed(wanted: string | null): string;
}

const hours = {
  "before 08:00": [300, 470],
  "by day": [540, 1_080],
  "after 20:00": [1_210, 1_380],
} as const;

/** Formats minutes since midnight as `07:05`. */
export function clock(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => `${part}`.padStart(2, "0")).join(":");
}

export const topics: Readonly<Record<TopicName, Topic>> = {
  reminders: {
    verb: "remind",
    letter: "e",
    cases: places,
    choices: ["10", "30", "60"],
    argument: { name: "MINUTES", pattern: /^\d{1,4}$/ },
    describe: ({ draw, vocabulary }, place) =>
      `${draw.one(vocabulary.entries[place as (typeof places)[number]])} (${place})`,
    deed: (minutes) => (minutes === null ? "no reminder" : `a reminder ${minutes} minutes before`),
  },
  answers: {
    verb: "reply",
    letter: "m",
    cases: ["friend", "colleague", "recruiter"],
    choices: ["yes", "no"],
    argument: { name: "yes|no", pattern: /^(yes|no)$/ },
    describe: ({ draw, vocabulary }, group) => `invitation from ${draw.one(vocabulary.people)} (${group})`,
    deed: (answer) => (answer === null ? "the user wrote a long answer" : `the user answered ${answer}`),
  },
  moves: {
    verb: "move",
    letter: "e",
    cases: ["a customer", "the boss", "a colleague"],
    choices: ["07:00", "12:30", "18:30"],
    argument: { name: "TIME", pattern: /^\d{2}:\d{2}$/ },
    describe: ({ draw, vocabulary }, whose) => `${draw.one(vocabulary.own)} collides with a call of ${whose}`,
    deed: (time) => (time === null ? "the user skipped the call" : `moved to ${time}`),
  },
  trips: {
    verb: "book",
    letter: "m",
    cases: Object.keys(hours),
    choices: ["taxi", "bus"],
    argument: { name: "taxi|bus", pattern: /^(taxi|bus)$/ },
    describe: ({ draw, vocabulary }, part) => {
      const [first, last] = hours[part as keyof typeof hours];
      return `ticket for a ${draw.one(vocabulary.trips)} at ${clock(draw.number(first, last))}`;
    },
    deed: (vehicle) => (vehicle === null ? "nothing booked" : `a ${vehicle} booked`),
  },
  bills: {
    verb: "warn",
    letter: "m",
    cases: ["low", "high"],
    choices: [""],
    isFixed: true,
    describe: ({ draw, vocabulary, limit }, size, isEdge) => {
      const [low, high] = size === "low" ? [20, limit] : [limit + 10, limit + 120];
      const edge = size === "low" ? high : low;
      return `bill of ${isEdge ? edge : draw.number(low, high)} euros from ${draw.one(vocabulary.billers)}`;
    },
    deed: (wanted) => (wanted === null ? "paid" : "the user asked why"),
  },
};

/** Draws what the user wants in each case: nothing in at least one case, and something in at least one. */
export function drawHabit(draw: Draw, { cases, choices, isFixed }: Topic): Habit {
  if (isFixed) return new Map(cases.map((each, at) => [each, at === 0 ? null : (choices[0] as string)]));
  const still = draw.some(cases, draw.number(1, cases.length - 1));
  return new Map(cases.map((each) => [each, still.includes(each) ? null : draw.one(choices)]));
}

/**
 * Returns what the user did in earlier cases, in random order. All cases of the day follow from it.
 *
 * @param rounds number of lines for each case
 */
export function historyOf(stage: Stage, topic: Topic, habit: Habit, rounds: number): string[] {
  const lines = Array.from({ length: rounds }, (_, round) =>
    [...habit].map(([each, wanted]) => `${topic.describe(stage, each, round === 0)}: ${topic.deed(wanted)}`),
  ).flat();
  return stage.draw.some(lines, lines.length);
}
