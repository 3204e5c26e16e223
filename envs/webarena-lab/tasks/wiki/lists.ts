/** Tasks about the lists of the encyclopedia. */
import { click, stop } from "../../plan.js";
import { towns } from "../../seed/region.js";
import { listArticles } from "../../sites/wiki/articles/lists.js";
import { people } from "../../sites/wiki/facts/people.js";
import type { Template } from "../common/template.js";
import { addressOf, look } from "./steps.js";

const site = { sites: ["wikipedia"] } as const;
const lists = ["towns in Haldane by population", "rivers of Haldane", "mountains of Haldane", "lakes of Haldane"];
const moreLists = ["islands of Haldane", "bridges in Haldane", "universities in Haldane", "companies of Haldane"];

export const wikiListTemplates: readonly Template[] = [
  {
    ...site,
    name: "wiki-sort-list",
    kind: "navigate",
    intent: 'Show the "List of {{list}}", sorted by the column "{{column}}" from the {{order}} value.',
    draw(random) {
      const name = random.choice([...lists, ...moreLists]);
      const title = `List of ${name}`;
      const table = listArticles().find((article) => article.title === title)?.sections[1]?.table;
      const column = random.between(1, (table?.head.length ?? 2) - 1);
      const label = table?.head[column];
      if (!label || !/Population|Founded|Elevation|Length|Height|Area|Depth|Opened|Students|Employees/.test(label))
        return undefined;
      const order = random.choice(["lowest", "highest"]);
      const sort = click("link", label);
      const wanted = order === "lowest" ? [sort] : [sort, sort];
      return {
        slots: { list: name, column: label, order },
        evaluation: {
          reference_url: `${addressOf(title)}?sort=${column}&order=${order === "lowest" ? "asc" : "desc"}`,
        },
        plan: [...look(title), ...wanted, stop()],
        nearMisses: {
          "not sorted": [...look(title), stop()],
          "the other direction": [...look(title), sort, ...(order === "lowest" ? [sort] : []), stop()],
        },
      };
    },
  },
  {
    ...site,
    name: "wiki-count-born",
    kind: "find",
    intent:
      'How many of the people in the "List of {{profession}} from Haldane" were born in {{first}} or in {{second}}? Answer with a number.',
    draw(random) {
      const [profession, plural] = random.choice([
        ["writer", "writers"],
        ["scientist", "scientists"],
        ["director", "film directors"],
        ["musician", "musicians"],
      ] as const);
      const pair = random.sample(towns, 2);
      const [first, second] = pair.map(({ name }) => name) as [string, string];
      const own = people().filter((one) => one.profession === profession);
      const count = own.filter(({ town }) => pair.includes(town)).length;
      const alone = own.filter(({ town }) => town === pair[0]).length;
      if (count < 3 || alone === 0 || alone === count) return undefined;
      const list = [...look(`List of ${plural} from Haldane`), click("link", "Birthplace")];
      return {
        slots: { profession: plural, first, second },
        evaluation: { reference_answers: { exact_match: `${count}` } },
        plan: [...list, stop(`${count}`)],
        nearMisses: {
          "one too few": [...list, stop(`${count - 1}`)],
          "the first town alone": [...list, stop(`${alone}`)],
        },
      };
    },
  },
];
