/** Articles about rivers, mountains, lakes and islands. */

import { bridges } from "../../../seed/landmarks.js";
import { rivers, towns } from "../../../seed/region.js";
import { relief } from "../data.js";
import { type Draft, grouped, link, listed, sectionOf } from "./article.js";
import { Prose } from "./prose.js";

const relieved = new Set([...relief.mountains, ...relief.lakes].map(([name]) => name));

/** Returns the name of a river's source. The name is a link if the source has an article. */
function sourceLink(source: string): string {
  return relieved.has(source) ? link(source) : source;
}

export function reliefArticles(): Draft[] {
  const prose = new Prose("relief");
  return [
    ...rivers.map((river) => riverArticle(river, prose)),
    ...relief.tributaries.map((row) => tributaryArticle(row, prose)),
    ...relief.mountains.map((row) => mountainArticle(row, prose)),
    ...relief.lakes.map((row) => lakeArticle(row, prose)),
    ...relief.islands.map((row) => islandArticle(row, prose)),
  ];
}

function riverArticle({ name, length, source }: (typeof rivers)[number], prose: Prose): Draft {
  const on = towns.filter(({ river }) => river === name).sort((one, other) => other.elevation - one.elevation);
  const past = listed(on.map((town) => link(town.name)));
  const own = bridges.filter(({ river }) => river === name).sort((one, other) => one.opened - other.opened);
  return {
    title: `River ${name}`,
    facts: [
      ["Length", `${length} km`],
      ["Source", sourceLink(source)],
      ["Mouth", "Atlantic Ocean"],
      ["Towns", past],
    ],
    sections: [
      {
        paragraphs: [
          `The River ${name} is a river in ${link("Haldane")}, ${length} kilometres long. It rises at ${sourceLink(source)} and flows past ${past}.`,
        ],
      },
      { heading: "Course", paragraphs: [prose.paragraph("river.body", 4)] },
      ...sectionOf(
        "Tributaries",
        relief.tributaries.filter(([, , main]) => main === name).map(([title, km]) => `${link(title)} (${km} km)`),
      ),
      ...sectionOf(
        "Bridges",
        own.map((bridge) => `${link(bridge.name)}, ${bridge.town.name} (${bridge.opened})`),
      ),
    ],
    seeAlso: ["List of rivers of Haldane", "List of bridges in Haldane"],
    categories: ["Rivers of Haldane"],
  };
}

function tributaryArticle([name, length, main, source]: (typeof relief.tributaries)[number], prose: Prose): Draft {
  return {
    title: name,
    facts: [
      ["Length", `${length} km`],
      ["Source", sourceLink(source)],
      ["Mouth", link(`River ${main}`)],
    ],
    sections: [
      {
        paragraphs: [
          `The ${name} is a tributary of the ${link(`River ${main}`)}. It is ${length} kilometres long and rises at ${sourceLink(source)}.`,
        ],
      },
      { heading: "Description", paragraphs: [prose.paragraph("river.body", 3)] },
    ],
    seeAlso: [`River ${main}`, "List of rivers of Haldane"],
    categories: ["Rivers of Haldane"],
  };
}

function mountainArticle(
  [name, height, district, climbed, rock]: (typeof relief.mountains)[number],
  prose: Prose,
): Draft {
  return {
    title: name,
    facts: [
      ["Height", `${grouped(height)} m`],
      ["District", link(district)],
      ["Rock", rock],
      ["First recorded ascent", `${climbed}`],
    ],
    sections: [
      {
        paragraphs: [
          `${name} is a mountain in the district of ${link(district)}. It is ${grouped(height)} metres high. The first recorded ascent was made in ${climbed}.`,
        ],
      },
      { heading: "Ascent", paragraphs: [prose.paragraph("mountain.body", 2, { rock })] },
      { heading: "Surroundings", paragraphs: [prose.paragraph("mountain.body", 2, { rock })] },
    ],
    seeAlso: ["List of mountains of Haldane", district],
    categories: ["Mountains of Haldane", district],
  };
}

function lakeArticle([name, district, area, depth, altitude]: (typeof relief.lakes)[number], prose: Prose): Draft {
  return {
    title: name,
    facts: [
      ["District", link(district)],
      ["Area", `${area} km²`],
      ["Greatest depth", `${depth} m`],
      ["Height above the sea", `${altitude} m`],
    ],
    sections: [
      {
        paragraphs: [
          `${name} is a lake in the district of ${link(district)}, with an area of ${area} square kilometres. It is up to ${depth} metres deep.`,
        ],
      },
      { heading: "Description", paragraphs: [prose.paragraph("lake.body", 3)] },
    ],
    seeAlso: ["List of lakes of Haldane", district],
    categories: ["Lakes of Haldane", district],
  };
}

function islandArticle([name, district, area, inhabitants]: (typeof relief.islands)[number], prose: Prose): Draft {
  return {
    title: name,
    facts: [
      ["District", link(district)],
      ["Area", `${area} km²`],
      ["Population", inhabitants === 0 ? "uninhabited" : grouped(inhabitants)],
    ],
    sections: [
      {
        paragraphs: [
          `${name} is an island off the coast of ${link(district)}. It has an area of ${area} square kilometres and ${inhabitants === 0 ? "is uninhabited" : `a population of ${grouped(inhabitants)}`}.`,
        ],
      },
      { heading: "Description", paragraphs: [prose.paragraph("island.body", 3)] },
    ],
    seeAlso: [district, "List of islands of Haldane"],
    categories: ["Islands of Haldane", district],
  };
}
