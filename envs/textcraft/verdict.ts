import type { EpisodeEnd, Verdict } from "../env.js";
import { counted, listed, span } from "../shared/verdicts/words.js";
import type { TextCraft } from "./env.js";
import { planFor } from "./expert.js";
import { Inventory } from "./inventory.js";
import { displayName } from "./naming.js";

/** States how many crafts of a shortest plan are done, and which items the rest of the plan lacks. */
export function verdict({ book, goal, inventory, naming, solved }: TextCraft, end: EpisodeEnd): Verdict {
  if (!goal) return { why: "No goal was set." };
  const written = (name: string) => displayName(naming.shown(name));
  const item = written(goal.item);
  if (solved) return { why: `Crafted ${item} ${span(end)}.` };
  const [whole, rest] = [planFor(book, goal, new Inventory()), planFor(book, goal, inventory)];
  if (!whole || !rest) return { why: `Did not craft ${item} ${span(end)}.` };
  const missing = [...rest.baseNeeds].flatMap(([name, need]) => {
    const lacking = need - inventory.count(name);
    return lacking > 0 ? [`${lacking} ${written(name)}`] : [];
  });
  const lacks = missing.length > 0 ? `missing: ${listed(missing)}` : "the ingredients are in the inventory";
  const done = `Did ${whole.crafts - rest.crafts} of ${counted(whole.crafts, "craft")} for ${item} ${span(end)}`;
  return { why: `${done}; ${lacks}.` };
}
