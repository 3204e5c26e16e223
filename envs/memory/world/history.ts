/** A history of chats, with the statements of the turns. */

/** Subject or speaker of a statement: "user", "assistant", or the first name of another person. */
export type Who = string;

export type Statement =
  /** A value is valid from this day on. */
  | { kind: "holds"; who: Who; topic: string; value: string }
  /** A correction of the last value: the new value was valid instead, from the same day on. */
  | { kind: "corrected"; who: Who; topic: string; value: string }
  /** A value that the user only considered. */
  | { kind: "considered"; topic: string; value: string }
  /** An event. `amount` is in euros; 0 for free events. */
  | { kind: "event"; topic: string; value: string; amount: number }
  /** An earlier event of the user is mentioned again. */
  | { kind: "recalled"; topic: string; value: string }
  /** An event that the user did not do, or that another person did. */
  | { kind: "missed"; topic: string; value: string }
  | { kind: "proposed"; topic: string; value: string; who: Who }
  /** A person has a limit. `value` is the id of the limit. */
  | { kind: "limited"; topic: string; value: string; who: Who }
  /** A limit is no longer valid. */
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
  /** Role, such as "sister". No two people share a role. */
  role: string;
}

export interface History {
  /** First name of the user. */
  user: string;
  people: Person[];
  /** Sessions in the order of the days, at most one session per day. */
  sessions: Session[];
  /** Day of the question. */
  today: number;
}

/** Consecutive turns for the session at an index of the history. */
export interface Beat {
  at: number;
  turns: Turn[];
}

/** Returns a text such as `my sister Ana`. */
export function labelOf({ role, name }: Person): string {
  return `my ${role} ${name}`;
}
