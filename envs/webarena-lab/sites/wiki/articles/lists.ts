/** Articles that are lists, such as a list of writers. */
import { bridges, museums, universities } from "../../../seed/landmarks.js";
import { rivers, towns } from "../../../seed/region.js";
import { eventRows, nature, relief } from "../data.js";
import { companies } from "../facts/companies.js";
import { type Profession, people, professions, yearOf } from "../facts/people.js";
import { type Form, works } from "../facts/works.js";
import { type Draft, grouped, link } from "./article.js";
import { peopleCategories } from "./people.js";
import { formCategories, pageOf } from "./works.js";

/** Returns the title of the list for a category: `Writers from Haldane` gives `List of writers from Haldane`. */
export function listTitle(category: string): string {
  return `List of ${category.charAt(0).toLowerCase()}${category.slice(1)}`;
}

export function listArticles(): Draft[] {
  return [
    townList(),
    ...reliefLists(),
    ...buildingLists(),
    companyList(),
    ...peopleLists(),
    ...workLists(),
    ...natureLists(),
    timeline(),
  ];
}

type Rows = readonly (readonly string[])[];

function list(
  title: string,
  lead: string,
  head: readonly string[],
  rows: Rows,
  seeAlso: readonly string[] = [],
): Draft {
  return {
    title,
    facts: [],
    sections: [
      { paragraphs: [`${lead} The heads of the columns sort the table.`] },
      { table: { caption: title, head, rows, isSortable: true } },
    ],
    seeAlso: seeAlso.length > 0 ? seeAlso : ["Haldane"],
    categories: ["Lists"],
  };
}

function townList(): Draft {
  const byPeople = [...towns].sort((one, other) => other.inhabitants - one.inhabitants);
  return list(
    "List of towns in Haldane by population",
    `The ${towns.length} towns of Haldane at the last census.`,
    ["Rank", "Town", "District", "Population", "Founded", "Elevation (m)"],
    byPeople.map(({ name, district, inhabitants, founded, elevation }, at) => [
      `${at + 1}`,
      link(name),
      link(district),
      grouped(inhabitants),
      `${founded}`,
      `${elevation}`,
    ]),
  );
}

function reliefLists(): Draft[] {
  return [
    list(
      "List of rivers of Haldane",
      "Rivers that reach the sea, and their main tributaries.",
      ["River", "Length (km)", "Source", "Flows into"],
      [
        ...rivers.map(({ name, length, source }) => [link(`River ${name}`), `${length}`, source, "Atlantic Ocean"]),
        ...relief.tributaries.map(([name, length, main, source]) => [link(name), `${length}`, source, `River ${main}`]),
      ],
    ),
    list(
      "List of mountains of Haldane",
      "Named mountains above 400 metres.",
      ["Mountain", "Height (m)", "District", "First ascent"],
      relief.mountains.map(([name, height, district, climbed]) => [
        link(name),
        grouped(height),
        district,
        `${climbed}`,
      ]),
    ),
    list(
      "List of lakes of Haldane",
      "Natural lakes with a name on the national map.",
      ["Lake", "District", "Area (km²)", "Depth (m)"],
      relief.lakes.map(([name, district, area, depth]) => [link(name), district, `${area}`, `${depth}`]),
    ),
    list(
      "List of islands of Haldane",
      "Islands off the coast.",
      ["Island", "District", "Area (km²)", "Population"],
      relief.islands.map(([name, district, area, count]) => [link(name), district, `${area}`, grouped(count)]),
    ),
  ];
}

function buildingLists(): Draft[] {
  return [
    list(
      "List of bridges in Haldane",
      "Bridges over the five main rivers.",
      ["Bridge", "Town", "River", "Opened", "Length (m)"],
      bridges.map(({ name, town, river, opened, length }) => [
        link(name),
        link(town.name),
        link(`River ${river}`),
        `${opened}`,
        `${length}`,
      ]),
    ),
    list(
      "List of universities in Haldane",
      "Universities and colleges that give degrees.",
      ["University", "Town", "Founded", "Students"],
      universities.map(({ name, town, founded, students }) => [
        link(name),
        link(town.name),
        `${founded}`,
        grouped(students),
      ]),
    ),
    list(
      "List of museums in Haldane",
      "Museums that are open to the public.",
      ["Museum", "Town", "Subject", "Opened"],
      museums.map(({ name, town, subject, opened }) => [link(name), link(town.name), subject, `${opened}`]),
    ),
  ];
}

function companyList(): Draft {
  return list(
    "List of companies of Haldane",
    "Companies by town.",
    ["Company", "Town", "Industry", "Founded", "Employees"],
    companies().map(({ name, town, industry, founded, employees }) => [
      link(name),
      link(town.name),
      industry,
      `${founded}`,
      grouped(employees),
    ]),
  );
}

function peopleLists(): Draft[] {
  return professions
    .filter((profession) => profession !== "founder")
    .map((profession) => {
      const category = peopleCategories[profession as Profession];
      const own = people()
        .filter((person) => person.profession === profession)
        .sort((one, other) => one.born - other.born);
      return list(
        listTitle(category),
        `${category} who have an article.`,
        ["Name", "Born", "Died", "Birthplace"],
        own.map(({ name, born, died, town }) => [
          link(name),
          `${yearOf(born)}`,
          died === undefined ? "" : `${yearOf(died)}`,
          link(town.name),
        ]),
      );
    });
}

function workLists(): Draft[] {
  return (Object.keys(formCategories) as Form[]).map((form) => {
    const own = works()
      .filter((work) => work.form === form)
      .sort((one, other) => one.year - other.year);
    const category = formCategories[form];
    return list(
      listTitle(category),
      `${category} that have an article.`,
      ["Title", "By", "Year", form === "painting" ? "Medium" : "Genre"],
      own.map((work) => [link(pageOf(work), work.title), link(work.by.name), `${work.year}`, work.genre]),
    );
  });
}

function natureLists(): Draft[] {
  return [
    list(
      "List of animals of Haldane",
      "Animals that are described in this encyclopedia.",
      ["Animal", "Scientific name", "Group", "Conservation status"],
      nature.animals.map(([name, latin, family, , , , status]) => [link(name), latin, family, status]),
    ),
    list(
      "List of plants of Haldane",
      "Plants that are described in this encyclopedia.",
      ["Plant", "Scientific name", "Family", "Habitat"],
      nature.plants.map(([name, latin, family, habitat]) => [link(name), latin, family, habitat]),
    ),
  ];
}

function timeline(): Draft {
  const rows = [...eventRows].sort(([, one], [, other]) => one - other);
  return list(
    "Timeline of Haldane",
    "Events of the country's history in the order of their years.",
    ["Year", "Event", "Place", "Kind"],
    rows.map(([name, year, town, kind]) => [`${year}`, link(name), link(town), kind]),
  );
}
