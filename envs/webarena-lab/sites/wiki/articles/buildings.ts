/** Articles about bridges, universities and museums. */
import { type Bridge, bridges, type Museum, museums, type University, universities } from "../../../seed/landmarks.js";
import { people } from "../facts/people.js";
import { works } from "../facts/works.js";
import { type Draft, grouped, link, sectionOf, withArticle } from "./article.js";
import { Prose } from "./prose.js";

export function buildingArticles(): Draft[] {
  const prose = new Prose("buildings");
  return [
    ...bridges.map((bridge) => bridgeArticle(bridge, prose)),
    ...universities.map((university) => universityArticle(university, prose)),
    ...museums.map((museum) => museumArticle(museum, prose)),
  ];
}

function bridgeArticle({ name, town, river, opened, length, design }: Bridge, prose: Prose): Draft {
  const repaired = Math.min(2019, opened + prose.between(34, 90));
  const tolls = Math.min(2001, opened + prose.between(12, 60));
  return {
    title: name,
    facts: [
      ["Town", link(town.name)],
      ["Crosses", link(`River ${river}`)],
      ["Design", design],
      ["Length", `${length} m`],
      ["Opened", `${opened}`],
    ],
    sections: [
      {
        paragraphs: [
          `${name} is ${withArticle(design)} bridge over the ${link(`River ${river}`)} in ${link(town.name)}. It is ${length} metres long and was opened in ${opened}.`,
        ],
      },
      { heading: "Construction", paragraphs: [prose.paragraph("bridge.body", 2, { repaired, tolls })] },
      { heading: "Present use", paragraphs: [prose.paragraph("bridge.body", 2, { repaired, tolls })] },
    ],
    seeAlso: ["List of bridges in Haldane", town.name],
    categories: ["Bridges in Haldane", town.name],
  };
}

function universityArticle(university: University, prose: Prose): Draft {
  const { name, town, founded, students, subjects } = university;
  const opened = founded + prose.between(3, 19);
  const slots = {
    opened,
    women: Math.max(1881, founded + prose.between(0, 30)),
    paper: founded + prose.between(12, 60),
  };
  const graduates = people()
    .filter((person) => person.university === university)
    .map((person) => `${link(person.name)}, ${person.occupation}`);
  return {
    title: name,
    facts: [
      ["Location", link(town.name)],
      ["Founded", `${founded}`],
      ["Students", grouped(students)],
      ["Known for", subjects],
    ],
    sections: [
      {
        paragraphs: [
          `${name} is a university in ${link(town.name)}. It was founded in ${founded} and has ${grouped(students)} students. It is known for ${subjects}.`,
        ],
      },
      { heading: "History", paragraphs: [prose.paragraph("university.body", 3, slots)] },
      { heading: "Campus and student life", paragraphs: [prose.paragraph("university.body", 3, slots)] },
      ...sectionOf("Notable graduates", graduates),
    ],
    seeAlso: ["List of universities in Haldane", town.name],
    categories: ["Universities in Haldane", town.name],
  };
}

function museumArticle(museum: Museum, prose: Prose): Draft {
  const { name, town, opened, subject, highlight, second } = museum;
  const shut = opened + prose.between(6, 12);
  const slots = { highlight, second, shut, reopened: shut + prose.between(1, 3), subject };
  const paintings = works()
    .filter((work) => work.museum === museum)
    .map(({ title, by, year }) => `${link(title)} by ${link(by.name)} (${year})`);
  return {
    title: name,
    facts: [
      ["Location", link(town.name)],
      ["Opened", `${opened}`],
      ["Subject", subject],
    ],
    sections: [
      {
        paragraphs: [
          `The ${name.replace(/^The /, "")} is a museum of ${subject} in ${link(town.name)}. It was opened in ${opened} and is known for ${highlight}.`,
        ],
      },
      { heading: "Collection", paragraphs: [prose.paragraph("museum.body", 3, slots)], items: paintings },
      { heading: "Visiting", paragraphs: [prose.paragraph("museum.body", 2, slots)] },
    ],
    seeAlso: ["List of museums in Haldane", town.name],
    categories: ["Museums in Haldane", town.name],
  };
}
