/** A case: the database, and what the customer wants, says and knows. */

import type { Fact } from "../user/facts.js";
import type { Topic } from "../user/topics.js";
import type { Change } from "../world/change.js";
import type { Database } from "../world/database.js";

/** Something that the agent has to know about the wish. */
export interface Slot {
  /**
   * Source of the value: `told` by the first message, shown in the `records`, or known to the customer alone, who must be
   * `asked`.
   */
  known: "told" | "records" | "asked";
  /** Answers to the first, second and later questions. As many questions are needed as there are answers. */
  answers: readonly string[];
  /** Answer of a customer who has lost patience. */
  curt: string;
  /** Texts that name the value, and texts that name another one, in lower case. */
  is: readonly string[];
  not: readonly string[];
  /** The value, and the values that an agent could guess, as they stand in the arguments of a change. */
  value: string;
  choices: readonly string[];
}

export type Slots = Readonly<Partial<Record<Topic, Slot>>>;

export interface Wish {
  /** The change that the customer wants. Absent if the customer only wants to know something. */
  change?: Change;
  /** Text with which the customer brings the wish up or repeats it. */
  say: string;
  /** Highest cost that the customer accepts. */
  limit: number;
}

/** What the agent knows of the customer at the start. */
export type Introduction = "signed in" | "name" | "email" | "nothing";

export interface Case {
  domain: Domain;
  /** Kind of task, such as `orders-cancel`. */
  family: string;
  title: string;
  database: Database;
  /** Id of the customer whose records are meant. */
  customer: string;
  introduction: Introduction;
  /** Whether another customer has the same name, so that only the e-mail identifies the customer. */
  isNamesake: boolean;
  /** Whether somebody else writes, who does not know the postcode. */
  isImpostor: boolean;
  /** First message of the customer. */
  opening: string;
  slots: Slots;
  wish: Wish;
  /** What the customer wants if the policy forbids the wish or it costs too much. */
  fallback: Wish;
  /** Facts that the customer asks for, with the first message or after a refusal. */
  facts: readonly Fact[];
  /** Whether the customer asks for the facts only when the wish is refused. */
  asksLate: boolean;
  /** Ids of records that prove what to do. */
  evidence: readonly string[];
  /** Number of needless questions after which the customer becomes curt. */
  patience: number;
}

export type Domain = "orders" | "refunds" | "bookings";
