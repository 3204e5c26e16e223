/** Computes the answer to a query only from the statements of a history. */
import type { Session, Statement, Who } from "./history.js";

export type Query =
  | { kind: "value"; who: Who; topic: string }
  /** Asks for the value of an attribute on a given day. */
  | { kind: "valueAt"; who: Who; topic: string; day: number }
  | { kind: "count"; topic: string }
  | { kind: "sum"; topic: string }
  | { kind: "order"; topic: string; items: readonly string[] }
  /** Asks for the event at a position (`place`), counted from 1. */
  | { kind: "place"; topic: string; place: number }
  | { kind: "proposal"; topic: string; who: Who }
  | { kind: "proposer"; topic: string; value: string }
  /** Asks for the only option that violates no limit of the user. */
  | { kind: "choice"; topic: string; options: readonly Option[] }
  /** Asks for several answers, separated by commas, with `unknown` for each that does not follow from the history. */
  | { kind: "both"; topic: string; queries: readonly Query[] };

export const unknown = "unknown";

export interface Option {
  name: string;
  features: readonly string[];
  /** Ids of the limits that the option violates. */
  breaks: readonly string[];
}

export interface Proven {
  /** The answer, or null if it does not follow from the history. */
  answer: string | null;
  /** Indices of the sessions that the answer follows from. */
  places: number[];
}

type Kind = Statement["kind"];

interface Told<K extends Kind = Kind> {
  place: number;
  day: number;
  statement: Extract<Statement, { kind: K }>;
}

/** Returns the answer to a query and the sessions that prove it. */
export function answerOf(sessions: readonly Session[], query: Query): Proven {
  const about = <K extends Kind>(...kinds: K[]) => toldOf(sessions, query.topic, kinds);
  switch (query.kind) {
    case "value":
    case "valueAt":
      return heldValue(about("holds", "corrected"), query.who, query.kind === "value" ? Infinity : query.day);
    case "proposal": {
      const found = about("proposed").filter(({ statement }) => statement.who === query.who);
      return proven(found.at(-1)?.statement.value, found.slice(-1));
    }
    case "proposer": {
      const found = about("proposed").filter(({ statement }) => statement.value === query.value);
      return proven(found[0]?.statement.who, found.slice(0, 1));
    }
    case "choice":
      return chosenOf(about("limited", "lifted"), query.options);
    case "both": {
      const parts = query.queries.map((one) => answerOf(sessions, one));
      const places = parts.flatMap((part) => part.places);
      return { answer: parts.map(({ answer }) => answer ?? unknown).join(", "), places: [...new Set(places)] };
    }
    default:
      return eventsOf(firstEvents(about("event")), query);
  }
}

function toldOf<K extends Kind>(sessions: readonly Session[], topic: string, kinds: readonly K[]): Told<K>[] {
  return sessions.flatMap(({ day, turns }, place) =>
    turns.flatMap(({ statement }) =>
      statement && statement.topic === topic && (kinds as readonly Kind[]).includes(statement.kind)
        ? [{ place, day, statement: statement as Told<K>["statement"] }]
        : [],
    ),
  );
}

function proven(answer: string | undefined, told: readonly { place: number }[]): Proven {
  return { answer: answer ?? null, places: [...new Set(told.map(({ place }) => place))] };
}

function heldValue(told: readonly Told<"holds" | "corrected">[], who: Who, day: number): Proven {
  const spans: { since: number; told: { place: number }[]; value: string }[] = [];
  for (const one of told) {
    const { kind, value } = one.statement;
    if (one.statement.who !== who) continue;
    const last = spans.at(-1);
    if (kind === "corrected" && last) Object.assign(last, { value, told: [...last.told, one] });
    else spans.push({ since: one.day, told: [one], value });
  }
  const span = spans.findLast(({ since }) => since <= day);
  return proven(span?.value, span?.told ?? []);
}

function firstEvents(events: readonly Told<"event">[]): Told<"event">[] {
  const seen = new Set<string>();
  return events.filter(({ statement: { value } }) => !seen.has(value) && seen.add(value));
}

function eventsOf(
  events: readonly Told<"event">[],
  query: Extract<Query, { kind: "count" | "sum" | "order" | "place" }>,
): Proven {
  switch (query.kind) {
    case "count":
      return proven(`${events.length}`, events);
    case "sum":
      return proven(`${events.reduce((sum, { statement }) => sum + statement.amount, 0)}`, events);
    case "order": {
      const asked = events.filter(({ statement }) => query.items.includes(statement.value));
      return proven(asked.map(({ statement }) => statement.value).join(", "), asked);
    }
    case "place":
      return proven(events[query.place - 1]?.statement.value, events.slice(0, query.place));
  }
}

function chosenOf(told: readonly Told<"limited" | "lifted">[], options: readonly Option[]): Proven {
  const own = told.filter(({ statement }) => statement.who === "user");
  const active = new Set<string>();
  for (const { statement } of own) {
    if (statement.kind === "limited") active.add(statement.value);
    else active.delete(statement.value);
  }
  const fitting = options.filter(({ breaks }) => !breaks.some((id) => active.has(id)));
  return proven(fitting.length === 1 ? fitting[0]?.name : undefined, own);
}
