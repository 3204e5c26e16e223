/** Articles about the country, the districts and the towns. */
import { bridges, clubs, museums, universities } from "../../../seed/landmarks.js";
import { country, type Town, towns } from "../../../seed/region.js";
import { eventRows } from "../data.js";
import { companies } from "../facts/companies.js";
import { people, yearOf } from "../facts/people.js";
import { type Draft, dayOf, grouped, link, listed, type Section, sectionOf } from "./article.js";
import { Prose } from "./prose.js";

export const capital = "Port Alder";

export function districtNames(): string[] {
  return [...new Set(towns.map(({ district }) => district))];
}

export function townArticles(): Draft[] {
  const prose = new Prose("towns");
  return [countryArticle(), ...districtNames().map(districtArticle), ...towns.map((town) => townArticle(town, prose))];
}

function townArticle(town: Town, prose: Prose): Draft {
  const { name, district, river, inhabitants, founded, elevation, latitude, longitude, postcode } = town;
  return {
    title: name,
    facts: [
      ["Country", link(country)],
      ["District", link(district)],
      ["Population", grouped(inhabitants)],
      ["Founded", `${founded}`],
      ["Elevation", `${elevation} m`],
      ...(river ? [["River", link(`River ${river}`)] as const] : []),
      ["Coordinates", `${latitude.toFixed(2)}° N, ${Math.abs(longitude).toFixed(2)}° W`],
      ["Postal code", `HD${postcode}`],
    ],
    sections: [{ paragraphs: [leadOf(town, prose)] }, ...townSections(town, prose)],
    seeAlso: ["List of towns in Haldane by population", district, ...(river ? [`River ${river}`] : [])],
    categories: ["Towns in Haldane", district],
  };
}

function leadOf({ name, district, river, inhabitants, founded, elevation }: Town, prose: Prose): string {
  const what = name === capital ? `the capital and largest city of ${country}` : `a town in ${country}`;
  const where = river ? ` on the ${link(`River ${river}`)},` : "";
  return `${name} is ${what}, in the district of ${link(district)}. It was founded in ${founded} and has ${grouped(inhabitants)} inhabitants. It lies${where} ${elevation} metres above the sea. ${prose.paragraph("town.lead", 1)}`;
}

function townSections(town: Town, prose: Prose): Section[] {
  const { name, founded } = town;
  const firms = companies().filter((one) => one.town === town);
  const company = link(firms.at(-1)?.name ?? "Pilot Savings Bank");
  const near = neighbours(town).map((other) => link(other.name));
  const club = clubs.find((one) => one.town === town);
  const sport = club ? ` The town's football club is ${link(club.name)}.` : "";
  return [
    { heading: "Geography", paragraphs: [`The nearest towns are ${listed(near)}.`] },
    {
      heading: "History",
      paragraphs: [prose.paragraph("town.history", 3, { founded }), prose.paragraph("town.history", 3, { founded })],
      items: eventRows
        .filter(([, , place]) => place === name)
        .sort(([, one], [, other]) => one - other)
        .map(([title, year]) => `${year}: ${link(title)}`),
    },
    {
      heading: "Economy",
      paragraphs: [prose.paragraph("town.economy", 3, { company })],
      items: firms.map((one) => `${link(one.name)} (${one.industry})`),
    },
    { heading: "Culture", paragraphs: [`${prose.paragraph("town.culture", 3)}${sport}`] },
    ...sectionOf("Sights", sightsOf(town)),
    { heading: "Transport", paragraphs: [prose.paragraph("town.transport", 2)] },
    ...sectionOf("Notable people", notablePeople(town)),
  ];
}

function sightsOf(town: Town): string[] {
  return [
    ...universities.filter((one) => one.town === town),
    ...museums.filter((one) => one.town === town),
    ...bridges.filter((one) => one.town === town),
  ].map(({ name }) => link(name));
}

function notablePeople(town: Town): string[] {
  return people()
    .filter((person) => person.town === town)
    .sort((one, other) => one.born - other.born)
    .map(({ name, born, died, occupation }) => {
      const years = died === undefined ? `born ${yearOf(born)}` : `${yearOf(born)}–${yearOf(died)}`;
      return `${link(name)} (${years}), ${occupation}`;
    });
}

export function neighbours(town: Town): Town[] {
  const distance = (other: Town) =>
    Math.hypot(town.latitude - other.latitude, (town.longitude - other.longitude) * 0.7);
  return towns
    .filter((other) => other !== town)
    .sort((one, other) => distance(one) - distance(other))
    .slice(0, 3);
}

function districtArticle(district: string): Draft {
  const own = towns
    .filter((town) => town.district === district)
    .sort((one, other) => other.inhabitants - one.inhabitants);
  const [largest] = own as [Town];
  const total = own.reduce((sum, { inhabitants }) => sum + inhabitants, 0);
  return {
    title: district,
    facts: [
      ["Country", link(country)],
      ["Seat", link(largest.name)],
      ["Towns", `${own.length}`],
      ["Population of the towns", grouped(total)],
    ],
    sections: [
      {
        paragraphs: [
          `${district} is one of the six districts of ${link(country)}. Its seat is ${link(largest.name)}, which was founded in ${largest.founded}.`,
        ],
      },
      {
        heading: "Towns",
        table: {
          caption: `Towns of ${district}`,
          head: ["Town", "Population", "Founded"],
          rows: own.map(({ name, inhabitants, founded }) => [link(name), grouped(inhabitants), `${founded}`]),
        },
      },
    ],
    seeAlso: ["List of towns in Haldane by population", country],
    categories: ["Districts of Haldane"],
  };
}

function countryArticle(): Draft {
  const total = towns.reduce((sum, { inhabitants }) => sum + inhabitants, 0);
  return {
    title: country,
    facts: [
      ["Capital", link(capital)],
      ["Districts", `${districtNames().length}`],
      ["Urban population", grouped(total)],
      ["Highest mountain", link("Mount Ferrow")],
      ["Longest river", link("River Orr")],
      ["National day", `${dayOf(Date.UTC(1838, 5, 9)).replace(" 1838", "")}`],
    ],
    sections: [
      {
        paragraphs: [
          `${country} is a country on the Atlantic coast. Its capital is ${link(capital)}. It has ${towns.length} towns in ${districtNames().length} districts, and ${grouped(total)} people live in them.`,
          `The six districts were joined by the ${link("Declaration of Haldane")} in 1838.`,
        ],
      },
      { heading: "Districts", items: districtNames().map((name) => link(name)) },
      {
        heading: "Geography",
        paragraphs: [
          `The ${link("Uplands")} rise in the west to ${link("Mount Ferrow")}. The ${link("River Orr")} and the ${link("River Mersa")} are the longest rivers, and ${link("Lake Corriden")} is the largest lake.`,
        ],
      },
      {
        heading: "Sport",
        paragraphs: [`Football is played in the ${link("Haldane Football League")}, which has twelve clubs.`],
      },
    ],
    seeAlso: ["List of towns in Haldane by population", "List of rivers of Haldane", "List of mountains of Haldane"],
    categories: ["Haldane"],
  };
}
