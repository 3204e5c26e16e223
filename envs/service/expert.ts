/** The expert: it knows which values the records tell, reads the records, and asks only for the others. */
import { capital } from "../shared/verdicts/words.js";
import type { Case } from "./cases/case.js";
import { changesOf, priceOf, refusalOf } from "./cases/outcome.js";
import type { Service } from "./env.js";
import { callText, isSame } from "./score.js";
import { needs, type Scene, wishNow } from "./user/conversation.js";
import { factText } from "./user/facts.js";
import type { Topic } from "./user/topics.js";

/** Questions by topic. The question for a target depends on the change. */
export const questions: Readonly<Record<Exclude<Topic, "target">, string>> = {
  postcode: "Could you tell me your postcode, please?",
  name: "What is your full name, please?",
  email: "What is your e-mail, please?",
  record: "Which one do you mean?",
  item: "Which item do you mean?",
  method: "Which payment method would you like?",
  seat: "Would you like an aisle or a window seat?",
  reason: "What is the reason?",
  want: "What would you like me to do?",
};

const targets: Readonly<Record<string, string>> = {
  change_address: "Which address should it go to?",
  swap_item: "Which version would you like instead?",
  exchange_item: "Which version would you like instead?",
  change_trip: "Which train would you like instead?",
};

/** Returns the next action towards the highest reward that is in reach, or null if every reward is out of reach. */
export function nextAction(service: Service): string | null {
  const { case: one, conduct } = service;
  if (!one) return null;
  const wanted = changesOf(one);
  const isLost = conduct.changes.some((done) => !wanted.some((change) => isSame(change, done)));
  return isLost || conduct.breaches.length > 0 ? null : bestAction(service);
}

/** Returns the next action of an agent that knows the case, whatever was done before. */
export function bestAction(service: Service): string | null {
  const { case: one, conduct } = service;
  if (!one) return null;
  const action = identify(one, service) ?? (conduct.failures > 1 ? "hand_over" : serve(one, service));
  // A message begins with a capital letter, a command does not.
  return /^[A-Z]/.test(action) ? `say ${action}` : action;
}

/** Returns the next action towards a known customer, or undefined if the customer is known. */
function identify(one: Case, { conduct, conversation }: Service): string | undefined {
  const { customer: id, introduction, slots } = one;
  const said = (topic: Topic) => conversation.answers[topic] ?? 0;
  const { name = "", email = "" } = one.database.customers[id] ?? {};
  if (!conduct.seen.includes(id)) {
    if (introduction === "signed in") return `look_up ${id}`;
    if (introduction === "email" || said("email") > 0) return `find_customer ${email}`;
    const isNamed = introduction === "name" || said("name") > 0;
    if (isNamed) return one.isNamesake ? questions.email : `find_customer ${name}`;
    return questions.name;
  }
  if (conduct.verified === id || conduct.failures > 1) return undefined;
  const codes = slots.postcode?.answers ?? [];
  const known = slots.postcode?.known === "told" ? 1 : said("postcode");
  if (known <= conduct.failures) return questions.postcode;
  return `verify_customer ${id} ${/\d{5}/.exec(codes[conduct.failures] ?? "")?.[0]}`;
}

function serve(one: Case, { conduct, conversation }: Service): string {
  const scene: Scene = { case: one, conversation, seed: 0 };
  const first = asked(scene, ["want", "record", "item"]);
  if (first) return first;
  const unseen = one.evidence.find((id) => !conduct.seen.includes(id));
  if (unseen) return `look_up ${unseen}`;
  const why = conversation.hasFallenBack ? undefined : asked(scene, ["reason"]);
  if (why) return why;
  const reason = refusalOf(one);
  if (!conversation.hasFallenBack && reason) return `I am sorry, that is not possible: ${reason}.`;
  const next = conversation.hasFallenBack ? undefined : asked(scene, ["target", "method", "seat"]);
  if (next) return next;
  const wish = wishNow(scene);
  const price = priceOf(one, wish);
  if (price > 0 && !conversation.agreed.includes(price)) return `That costs $${price}. Shall I go ahead?`;
  if (wish.change && conduct.changes.length === 0) return callText(wish.change);
  const facts = one.facts.filter((_, at) => !conversation.told.includes(at));
  const told = facts.map((fact) => ` ${capital(fact.name)} is ${factText(fact)}.`).join("");
  if (told !== "" || !conduct.hasReported) return `${conduct.changes.length > 0 ? "It is done." : "I see."}${told}`;
  return "end_conversation";
}

function asked(scene: Scene, topics: readonly Topic[]): string | undefined {
  const topic = topics.find((each) => needs(scene, each));
  if (!topic) return undefined;
  return topic === "target" ? targets[scene.case.wish.change?.kind ?? ""] : questions[topic];
}
