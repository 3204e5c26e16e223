/** Articles about animals and plants. */
import { type AnimalRow, nature, type PlantRow } from "../data.js";
import { type Draft, link } from "./article.js";
import { Prose } from "./prose.js";
import { districtNames } from "./towns.js";

export function natureArticles(): Draft[] {
  const prose = new Prose("nature");
  const districts = districtNames();
  return [
    ...nature.animals.map((row, at) => animalArticle(row, districts[(at * 5) % districts.length] as string, prose)),
    ...nature.plants.map((row, at) => plantArticle(row, districts[(at * 7) % districts.length] as string, prose)),
  ];
}

function animalArticle(
  [name, latin, family, habitat, food, weight, status]: AnimalRow,
  district: string,
  prose: Prose,
): Draft {
  const described = prose.between(1798, 1931);
  const slots = { food, habitat, district: link(district), described };
  return {
    title: name,
    facts: [
      ["Scientific name", latin],
      ["Group", family],
      ["Habitat", habitat],
      ["Weight", weight >= 1 ? `${weight} kg` : `${Math.round(weight * 1000)} g`],
      ["Conservation status", status],
      ["First described", `${described}`],
    ],
    sections: [
      {
        paragraphs: [
          `The ${name.replace(/^The /, "")} (${latin}) is a kind of ${family} that is found in the ${habitat} of ${link("Haldane")}. Its conservation status is ${status}.`,
        ],
      },
      { heading: "Biology", paragraphs: [prose.paragraph("animal.body", 3, slots)] },
      { heading: "Animal and people", paragraphs: [prose.paragraph("animal.body", 2, slots)] },
    ],
    seeAlso: ["List of animals of Haldane", district],
    categories: ["Animals of Haldane"],
  };
}

function plantArticle(
  [name, latin, family, habitat, height, flowers]: PlantRow,
  district: string,
  prose: Prose,
): Draft {
  const described = prose.between(1791, 1926);
  const flowering = flowers === "none" ? "It has no flowers." : `It flowers in ${flowers}.`;
  const slots = { habitat, flowering, district: link(district), described };
  return {
    title: name,
    facts: [
      ["Scientific name", latin],
      ["Family", family],
      ["Habitat", habitat],
      ["Height", height >= 1 ? `${height} m` : `${Math.round(height * 100)} cm`],
      ["Flowers", flowers],
      ["First described", `${described}`],
    ],
    sections: [
      {
        paragraphs: [
          `${name} (${latin}) is a plant of the ${family} family. It grows in places such as ${habitat} and reaches a height of ${height >= 1 ? `${height} metres` : `${Math.round(height * 100)} centimetres`}.`,
        ],
      },
      { heading: "Description", paragraphs: [prose.paragraph("plant.body", 3, slots)] },
    ],
    seeAlso: ["List of plants of Haldane", district],
    categories: ["Plants of Haldane"],
  };
}
