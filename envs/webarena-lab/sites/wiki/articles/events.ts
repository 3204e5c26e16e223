/** Articles about historical events. */
import { type EventRow, eventRows } from "../data.js";
import { type Draft, dayOf, link } from "./article.js";
import { Prose } from "./prose.js";

export function eventArticles(): Draft[] {
  const prose = new Prose("events");
  return eventRows.map((row) => eventArticle(row, prose));
}

function eventArticle([name, year, town, kind, what, after]: EventRow, prose: Prose): Draft {
  const day = Date.UTC(year, prose.between(0, 11), prose.between(1, 28));
  const date = name === "Declaration of Haldane" ? "9 June 1838" : dayOf(day);
  return {
    title: name,
    facts: [
      ["Date", date],
      ["Place", link(town)],
      ["Kind", kind],
    ],
    sections: [
      { paragraphs: [`The ${name} of ${date} ${what}, ${after}. It took place in ${link(town)}.`] },
      { heading: "Course of events", paragraphs: [prose.paragraph("event.body", 2)] },
      { heading: "Aftermath", paragraphs: [prose.paragraph("event.body", 2)] },
    ],
    seeAlso: ["Timeline of Haldane", town],
    categories: ["Events in the history of Haldane", `History of ${town}`],
  };
}
