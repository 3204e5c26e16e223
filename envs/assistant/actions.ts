/** Parses the actions of assistant. An action is the first line that begins with a verb of the environment. */
import { topicNames, topics } from "./world/topics.js";

export type AssistantAction =
  | { verb: "wait" }
  | { verb: "look"; what: string }
  /** A proposal; `id` and `argument` are not checked. */
  | { verb: "propose"; proposal: string; id: string; argument: string }
  | { verb: "none" };

const verbs = topicNames.map((name) => topics[name].verb);
const pattern = new RegExp(`^[ \\t]*(wait|look|${verbs.join("|")})\\b[ \\t]*:?([^\\n]*)`, "im");

export function readAction(text: string): AssistantAction {
  const [, found = "", rest = ""] = pattern.exec(text) ?? [];
  const verb = found.toLowerCase();
  const words = rest
    .slice(0, 200)
    .trim()
    .toLowerCase()
    .replace(/\.$/, "")
    .split(/[\s,]+/);
  if (verb === "") return { verb: "none" };
  if (verb === "wait") return { verb };
  if (verb === "look") return { verb, what: words[0] as string };
  const [id = "", argument = ""] = words;
  return { verb: "propose", proposal: verb, id, argument };
}
