import type { TaskRef, TaskSplit } from "../env.js";
import { answerOf, type Proven, type Query } from "./world/answers.js";
import { background } from "./world/background.js";
import { dayOf } from "./world/dates.js";
import { Draw } from "./world/draw.js";
import { type Family, families, type Subject } from "./world/families.js";
import type { History } from "./world/history.js";
import { type Length, lengths } from "./world/lengths.js";
import { drawPeople } from "./world/people.js";
import { sessionsOf } from "./world/sessions.js";
import { spellingsOf } from "./world/spellings.js";

const sizes = { train: 10_000, dev: 500, test: 500 };

/**
 * Families of every 25 consecutive tasks. Tasks that need only one session, such as `fact` and `speaker`, are rare.
 */
const order: readonly Family[] = [
  ...(["fact", "update", "date", "events", "choice", "speaker", "pair"] as const),
  ...(["update", "date", "events", "choice", "fact", "update"] as const),
  ...(["fact", "update", "date", "events", "choice", "speaker", "pair"] as const),
  ...(["update", "date", "events", "choice", "events"] as const),
];

export interface Task {
  family: Family;
  topic: string;
  /** The topic, and the topic of a second question. */
  topics: string[];
  question: string;
  /** Accepted answers, the simplest answer first. */
  golden: string[];
  query: Query;
  proven: Proven;
  history: History;
}

export const splits: Record<string, TaskSplit> = Object.fromEntries(
  Object.entries(sizes).map(([split, size]) => [
    split,
    {
      size,
      summary: `Tasks of the ${split} split, of seven families in turn; the splits share no persons.`,
      title: (index) => titleOf({ split, index }),
    },
  ]),
);

function titleOf(task: TaskRef): string {
  const { family, subject } = subjectOf(task);
  return `${family}: ${subject.title}`;
}

function seedOf({ split, index }: TaskRef, part: number): bigint {
  return (BigInt(Object.keys(sizes).indexOf(split)) << 40n) + (BigInt(part) << 32n) + BigInt(index);
}

function subjectOf(task: TaskRef): { family: Family; subject: Subject } {
  const family = order[task.index % order.length] as Family;
  return { family, subject: families[family](new Draw(seedOf(task, 0))) };
}

/** Returns a task with a history of a given length. Equal arguments always give the same task. */
export function taskOf(ref: TaskRef, length: Length): Task {
  const { family, subject } = subjectOf(ref);
  const scale = lengths[length];
  const draw = new Draw(seedOf(ref, 1 + Object.keys(lengths).indexOf(length)));
  const { user, people } = drawPeople(draw, ref.split);
  const days = [dayOf(2021, 1, 1) + draw.number(0, 1_000)];
  while (days.length < scale.sessions) days.push((days.at(-1) as number) + draw.number(...scale.days));
  const { question, query, answer, beats } = subject.plot({ draw, scale, days, people });
  const topics = [subject.topic, ...(subject.otherTopic === undefined ? [] : [subject.otherTopic])];
  const others = background(draw, scale, people, topics);
  const sessions = sessionsOf(draw, days, [...beats, ...others], scale.talks);
  const proven = answerOf(sessions, query);
  if (proven.answer !== answer)
    throw new Error(
      `expected the history of ${ref.split}:${ref.index} to prove ${answer}, but received ${proven.answer}`,
    );
  const today = (days.at(-1) as number) + draw.number(1, 5);
  const history = { user, people, sessions, today };
  const golden = spellingsOf(query, answer, people);
  return { family, topic: subject.topic, topics, question, golden, query, proven, history };
}
