/** Types of a history of chats and of the statements in its turns. */

/** Subject or speaker of a statement: "user", "assistant", or the first name of another person. */
export type Who = string;

export type Statement =
  /** The value is valid from the day of the session on. */
  | { kind: "holds"; who: Who; topic: string; value: string }
  /** The last value was wrong: the new value has been valid instead, from the same day on. */
  | { kind: "corrected"; who: Who; topic: string; value: string }
  /** The user only considered the value. */
  | { kind: "considered"; topic: string; value: string }
  /** The user took part in an event. `amount` is its cost in euros, 0 for free events. */
  | { kind: "event"; topic: string; value: string; amount: number }
  /** The user mentioned an earlier event again. */
  | { kind: "recalled"; topic: string; value: string }
  /** The user missed an event, or another person took part in it. */
  | { kind: "missed"; topic: string; value: string }
  | { kind: "proposed"; topic: string; value: string; who: Who }
  /** A limit applies to a person. `value` is the id of the limit. */
  | { kind: "limited"; topic: string; value: string; who: Who }
  /** A limit no longer applies to a person. */
  | { kind: "lifted"; topic: string; value: string; who: Who };

export interface Turn {
  speaker: "user" | "assistant";
  text: string;
  statement?: Statement;
}

export interface Session {
  id: string;
  /** Days since 1 January 1970. */
  day: number;
  turns: Turn[];
}

export interface Person {
  name: string;
  /** Role, such as "sister". The people of a history have different roles. */
  role: string;
}

export interface History {
  /** First name of the user. */
  user: string;
  people: Person[];
  /** Sessions sorted by day, at most one session per day. */
  sessions: Session[];
  /** Day of the question. */
  today: number;
}

/** Consecutive turns that belong to one session of the history. */
export interface Beat {
  at: number;
  turns: Turn[];
}

/** Returns a person's role and name, such as `my sister Ana`. */
export function labelOf({ role, name }: Person): string {
  return `my ${role} ${name}`;
}
