/** What the questions of a message mean in a case. */
import type { Slot } from "../cases/case.js";
import { priceOf } from "../cases/outcome.js";
import { needs, type Scene, wishNow } from "./conversation.js";
import { hasWords } from "./facts.js";
import type { Heard, Question } from "./heard.js";
import type { Topic } from "./topics.js";

export interface Ask {
  /** The topic, or `yes` for a question whether to go on. */
  about: Topic | "yes";
  isNeedless: boolean;
  /** The text proposes the right value (`is`), another one (`not`), or none. */
  proposes: "is" | "not" | "none";
}

/** Topics that a question such as `which one?` may mean, the likeliest first. */
const choosable: readonly Topic[] = ["record", "item", "target", "method", "want"];
/** Topics whose value the agent may propose. */
const proposable: readonly Topic[] = ["record", "item", "target", "method", "seat", "reason", "want"];

/** Returns the questions of a message, each topic once. */
export function asksOf(heard: Heard, scene: Scene): Ask[] {
  const asks: Ask[] = [];
  for (const ask of heard.questions.flatMap((question) => meant(question, heard, scene))) {
    if (!asks.some(({ about }) => about === ask.about)) asks.push(ask);
  }
  return asks;
}

function meant(question: Question, heard: Heard, scene: Scene): Ask[] {
  const { topics, confirms, chooses, text } = question;
  const asked = topics.map((topic) => askOf(scene, topic, text));
  if (asked.length > 0) return confirms && heard.amounts.length > 0 ? [...asked, yes(scene)] : asked;
  if (chooses) return [askOf(scene, chosen(scene, text), text)];
  const proposed = proposable.filter((topic) => proposal(scene.case.slots[topic], text) !== "none");
  const open = proposed.find((topic) => needs(scene, topic));
  if (confirms) return open && heard.amounts.length === 0 ? [askOf(scene, open, text)] : [yes(scene)];
  const topic = open ?? proposed[0];
  if (topic) return [askOf(scene, topic, text)];
  const price = priceOf(scene.case, wishNow(scene));
  return price > 0 && heard.amounts.includes(price) ? [yes(scene)] : [];
}

/** Returns the topic of a question such as `which one?`. */
function chosen(scene: Scene, text: string): Topic {
  const { slots } = scene.case;
  const open = choosable.filter((topic) => needs(scene, topic));
  const proposed = open.find((topic) => proposal(slots[topic], text) !== "none");
  return proposed ?? open[0] ?? choosable.find((topic) => slots[topic]) ?? "record";
}

function askOf(scene: Scene, about: Topic, text: string): Ask {
  const isOpen = /\b(or|which|what|where|when|how|why)\b/.test(text);
  const proposes = isOpen ? "none" : proposal(scene.case.slots[about], text);
  return { about, isNeedless: !needs(scene, about), proposes };
}

function yes(scene: Scene): Ask {
  const { agreed, hasDeclined } = scene.conversation;
  const price = priceOf(scene.case, wishNow(scene));
  return { about: "yes", isNeedless: price === 0 || agreed.includes(price) || hasDeclined, proposes: "none" };
}

/** Returns whether a text names the value of a slot, another value, or neither or both. */
export function proposal(slot: Slot | undefined, text: string): Ask["proposes"] {
  const has = (forms: readonly string[] = []) => forms.some((form) => hasWords(text, form));
  const [names, namesOther] = [has(slot?.is), has(slot?.not)];
  if (names === namesOther) return "none";
  return names ? "is" : "not";
}
