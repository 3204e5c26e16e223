/** Articles about novels, films, albums and paintings. */
import { clubs, museums, universities } from "../../../seed/landmarks.js";
import { companyRows, eventRows, nature, relief } from "../data.js";
import { type Form, type Work, works, worksBy } from "../facts/works.js";
import { type Draft, link, withArticle } from "./article.js";
import { Prose } from "./prose.js";

export const formCategories: Record<Form, string> = {
  novel: "Novels from Haldane",
  film: "Films from Haldane",
  album: "Albums from Haldane",
  painting: "Paintings from Haldane",
};

/** Titles of other articles. */
const taken = new Set([
  ...[...relief.mountains, ...relief.lakes, ...relief.islands, ...relief.tributaries].map(([name]) => name),
  ...[...companyRows, ...eventRows, ...nature.animals, ...nature.plants].map(([name]) => name as string),
  ...[...clubs, ...museums, ...universities].map(({ name }) => name),
]);

/** Returns a unique title for the article about a work. */
export function pageOf({ title, form }: Work): string {
  return taken.has(title) ? `${title} (${form})` : title;
}

export function workArticles(): Draft[] {
  const prose = new Prose("works");
  return works().map((work) => workArticle(work, prose));
}

const roles: Record<Form, string> = { novel: "Author", film: "Director", album: "Artist", painting: "Painter" };
const sizeLabels: Record<Exclude<Form, "painting">, string> = { novel: "Pages", film: "Running time", album: "Songs" };

function workArticle(work: Work, prose: Prose): Draft {
  const { title, form, by, year, genre, setting, size, museum } = work;
  const setSlots = { setting: link(setting.name) };
  const others = worksBy(by).filter((one) => one !== work);
  return {
    title: pageOf(work),
    facts: [
      [roles[form], link(by.name)],
      [form === "painting" ? "Painted" : form === "novel" ? "Published" : "Released", `${year}`],
      [form === "painting" ? "Medium" : "Genre", genre],
      ...(form === "painting" || size === undefined
        ? []
        : [[sizeLabels[form], form === "film" ? `${size} minutes` : `${size}`] as const]),
      ...(form === "novel" || form === "film" ? [["Setting", link(setting.name)] as const] : []),
      ...(museum ? [["Location", link(museum.name)] as const] : []),
    ],
    sections: [
      { paragraphs: [leadOf(work)] },
      {
        heading: form === "album" ? "Recording" : form === "painting" ? "Description" : "Plot",
        paragraphs: [prose.paragraph(`${form}.body`, 2, setSlots)],
      },
      {
        heading: "Reception",
        paragraphs: [
          `${title} ${museum ? "is one of the painter's best-known pictures." : "found a wide audience."} ${prose.paragraph(`${form}.body`, 2, setSlots)}`,
        ],
      },
    ],
    seeAlso: [
      by.name,
      ...others.slice(0, 3).map(pageOf),
      `List of ${formCategories[form].toLowerCase().replace("haldane", "Haldane")}`,
    ],
    categories: [formCategories[form], `Works of ${Math.floor(year / 10) * 10}–${Math.floor(year / 10) * 10 + 9}`],
  };
}

function leadOf({ title, form, by, year, genre, museum, setting }: Work): string {
  const maker = link(by.name);
  switch (form) {
    case "novel":
      return `${title} is ${withArticle(genre)} by ${maker}, published in ${year}. It is set in ${link(setting.name)}.`;
    case "film":
      return `${title} is ${withArticle(genre)} directed by ${maker} and released in ${year}.`;
    case "album":
      return `${title} is an album of ${genre} by ${maker}, released in ${year}.`;
    case "painting":
      return `${title} is a painting by ${maker} (${genre}, ${year}). It hangs in the ${link(museum?.name ?? "")}${museum ? ` in ${link(museum.town.name)}` : ""}.`;
  }
}
