/** Tasks in the encyclopedia. */
import { click, stop } from "../../plan.js";
import { towns } from "../../seed/region.js";
import type { Template } from "../common/template.js";
import { wikiArtsTemplates } from "./arts.js";
import { wikiListTemplates } from "./lists.js";
import { wikiPlaceTemplates } from "./places.js";
import { look } from "./steps.js";

export const wikiTemplates: readonly Template[] = [
  {
    name: "wiki-elevation",
    sites: ["wikipedia"],
    kind: "find",
    intent: "How many metres above the sea does {{town}} lie? Answer with the number alone.",
    draw(random) {
      const town = random.choice(towns);
      const other = random.choice(towns.filter(({ elevation }) => elevation !== town.elevation));
      return {
        slots: { town: town.name },
        evaluation: { reference_answers: { exact_match: `${town.elevation}` } },
        plan: [...look(town.name), stop(`${town.elevation}`)],
        nearMisses: {
          "another town's height": [...look(town.name), stop(`${other.elevation}`)],
          "no answer": [...look(town.name), click("link", town.district), stop()],
        },
      };
    },
  },
  ...wikiArtsTemplates,
  ...wikiPlaceTemplates,
  ...wikiListTemplates,
];
