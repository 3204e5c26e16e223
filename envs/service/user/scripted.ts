/**
 * The scripted customer. It answers each question that it understands, reacts to refusals, proposals and reports, and says so
 * if it understands nothing.
 */

import { isOpen, priceOf } from "../cases/outcome.js";
import { type Ask, proposal } from "./asks.js";
import { type Scene, wishNow } from "./conversation.js";
import { type Phrases, phrases } from "./phrases.js";
import type { Topic } from "./topics.js";
import type { AgentMessage, User, UserTurn } from "./user.js";

/** Topics in which the customer objects to a wrong value of a proposal. */
const objectable: readonly Topic[] = ["record", "item", "target", "method", "seat"];

interface Draft extends UserTurn {
  parts: string[];
  answers: Topic[];
}

export const scriptedUser: User = {
  reply(message, scene) {
    const draft: Draft = { text: "", parts: [], answers: [], fallsBack: false, isUnderstood: true };
    react(draft, message, scene);
    for (const ask of message.asks) {
      if (ask.about === "yes") decide(draft, message, scene);
      else answer(draft, ask, ask.about, scene);
    }
    if (draft.parts.length === 0) close(draft, message, scene);
    const { parts, ...turn } = draft;
    return { ...turn, text: parts.join(" ") };
  },
};

/** Reacts to a refusal: the customer falls back to another wish, or insists on one that the policy allows. */
function react(draft: Draft, { heard, asks }: AgentMessage, scene: Scene): void {
  const { case: one, conversation } = scene;
  if (!heard.refuses || conversation.hasFallenBack) return;
  if (isOpen(one)) {
    if (asks.length === 0) draft.parts.push(pick(scene, "insist"), one.wish.say);
    return;
  }
  fallBack(draft, scene, "accept");
  const price = priceOf(one, one.fallback);
  const isOffered = price > 0 && price <= one.fallback.limit && heard.amounts.includes(price);
  if (isOffered) say(draft, "yes", pick(scene, "yes"));
}

function fallBack(draft: Draft, scene: Scene, how: "accept" | "tooMuch"): void {
  const { fallback, asksLate } = scene.case;
  draft.fallsBack = true;
  draft.parts.push(pick(scene, how), fallback.say, ...(asksLate ? untold(scene) : []));
}

/** Answers a question whether to go on. */
function decide(draft: Draft, { heard }: AgentMessage, scene: Scene): void {
  if (draft.fallsBack) return;
  const { slots } = scene.case;
  const wrong = objectable.find((topic) => proposal(slots[topic], heard.text) === "not");
  if (wrong) return say(draft, "no", `${pick(scene, "no")} ${answerTo(scene, wrong, 0)}`, wrong);
  const wish = wishNow(scene);
  const price = priceOf(scene.case, wish);
  if (heard.amounts.length === 0 && price > 0) {
    draft.parts.push(pick(scene, "price"));
    return;
  }
  const asked = heard.amounts.includes(price) || heard.amounts.length === 0 ? price : Math.min(...heard.amounts);
  if (asked <= wish.limit) return say(draft, "yes", pick(scene, "yes"));
  draft.says = "no";
  if (!scene.conversation.hasFallenBack) fallBack(draft, scene, "tooMuch");
  else draft.parts.push(pick(scene, "tooMuch"));
}

function say(draft: Draft, says: "yes" | "no", text: string, topic?: Topic): void {
  draft.says = says;
  draft.parts.push(text);
  if (topic) draft.answers.push(topic);
}

function answer(draft: Draft, { isNeedless, proposes }: Ask, topic: Topic, scene: Scene): void {
  const { slots, patience } = scene.case;
  const isCurt = scene.conversation.needless.length > patience;
  if (isCurt && isNeedless) {
    draft.parts.push(pick(scene, "impatient"));
    return;
  }
  draft.answers.push(topic);
  if (proposes === "is") draft.parts.push(pick(scene, "right"));
  else if (proposes === "not") draft.parts.push(`${pick(scene, "no")} ${answerTo(scene, topic, 0)}`);
  else if (isCurt && slots[topic]) draft.parts.push(slots[topic].curt);
  else draft.parts.push(answerTo(scene, topic, scene.conversation.answers[topic] ?? 0));
}

function answerTo(scene: Scene, topic: Topic, count: number): string {
  const slot = scene.case.slots[topic];
  if (slot) return slot.answers[Math.min(count, slot.answers.length - 1)] as string;
  return (phrases().moot[topic] as readonly string[])[0] as string;
}

/** Answers a message without a question that the customer has understood. */
function close(draft: Draft, { heard, asks, tells }: AgentMessage, scene: Scene): void {
  const { asksLate } = scene.case;
  const left = asksLate && !scene.conversation.hasFallenBack ? [] : untold(scene);
  const isReport = heard.reports || tells;
  if (heard.asksElse)
    draft.parts.push(...(left.length > 0 ? [pick(scene, "missing"), ...left] : [pick(scene, "closing")]));
  else if (heard.waits || asks.length > 0) draft.parts.push(pick(scene, "waiting"));
  else if (isReport)
    draft.parts.push(...(left.length > 0 ? [pick(scene, "missing"), ...left] : [pick(scene, "thanks")]));
  else if (heard.refuses) draft.parts.push(pick(scene, "accept"));
  else if (heard.isPolite) draft.parts.push(pick(scene, "waiting"));
  else {
    draft.isUnderstood = false;
    draft.parts.push(pick(scene, "puzzled"), wishNow(scene).say);
  }
}

/** Returns the questions for facts that the customer has asked for and that were not told. */
function untold({ case: { facts }, conversation }: Scene): string[] {
  return facts.filter((_, at) => !conversation.told.includes(at)).map(({ ask }) => ask);
}

type Wording = Exclude<keyof Phrases, "moot">;

function pick({ seed, conversation }: Scene, wording: Wording): string {
  const list = phrases()[wording];
  return list[((seed % 1_000) + conversation.messages) % list.length] as string;
}
