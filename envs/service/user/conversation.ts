/** State of the conversation: what was asked, told and agreed. */
import type { Case, Slot, Wish } from "../cases/case.js";
import { type Fact, isTold } from "./facts.js";
import type { Topic } from "./topics.js";

export interface Conversation {
  /** Number of answers to each topic. */
  answers: Partial<Record<Topic, number>>;
  /** Needless questions, each as a noun phrase. */
  needless: string[];
  /** Whether the customer has given up the first wish. */
  hasFallenBack: boolean;
  /** Sums to which the customer has said yes. */
  agreed: number[];
  /** Whether the customer has said no to a price. */
  hasDeclined: boolean;
  /** Indices of the asked facts that were told. */
  told: number[];
  /** Messages of the agent. */
  messages: number;
}

export function newConversation(): Conversation {
  return {
    answers: {},
    needless: [],
    hasFallenBack: false,
    agreed: [],
    hasDeclined: false,
    told: [],
    messages: 0,
  };
}

/** What the customer knows of the episode. */
export interface Scene {
  case: Case;
  conversation: Conversation;
  /** Seed of the episode, which chooses between wordings. */
  seed: number;
}

export function wishNow({ case: { wish, fallback }, conversation }: Pick<Scene, "case" | "conversation">): Wish {
  return conversation.hasFallenBack ? fallback : wish;
}

/** Whether the agent needs the customer's answer to a question about a topic. */
export function needs({ case: one, conversation: { answers } }: Scene, topic: Topic): boolean {
  const said = (which: Topic) => answers[which] ?? 0;
  if (topic === "name" || topic === "email") {
    const isKnown = one.introduction !== "nothing" || said("name") + said("email") > 0;
    const isByMail = one.introduction === "email" || one.introduction === "signed in" || said("email") > 0;
    return topic === "email" && one.isNamesake ? !isByMail : !isKnown;
  }
  const slot: Slot | undefined = one.slots[topic];
  return slot?.known === "asked" && said(topic) < slot.answers.length;
}

/** Returns the indices of the asked facts that a message of the agent tells. */
export function factsIn({ case: { facts } }: Scene, message: string): number[] {
  return [...facts.keys()].filter((at) => isTold(facts[at] as Fact, message));
}
