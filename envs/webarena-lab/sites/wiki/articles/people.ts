/** Articles about people. */
import { type Person, type Profession, people, yearOf } from "../facts/people.js";
import { type Form, type Work, worksBy } from "../facts/works.js";
import { type Draft, dayOf, link, sectionOf, withArticle } from "./article.js";
import { Prose, type Slots } from "./prose.js";
import { pageOf } from "./works.js";

export const peopleCategories: Record<Profession, string> = {
  writer: "Writers from Haldane",
  director: "Film directors from Haldane",
  musician: "Musicians from Haldane",
  painter: "Painters from Haldane",
  scientist: "Scientists from Haldane",
  politician: "Politicians of Haldane",
  founder: "Entrepreneurs from Haldane",
};

const worksHeadings: Record<Form, string> = {
  novel: "Novels",
  film: "Films",
  album: "Albums",
  painting: "Paintings",
};

export function peopleArticles(): Draft[] {
  const prose = new Prose("people");
  return people().map((person) => personArticle(person, prose));
}

function personArticle(person: Person, prose: Prose): Draft {
  const { name, town, profession } = person;
  const own = worksBy(person);
  const form = own[0]?.form;
  const topic = profession === "founder" ? "politician" : profession;
  const slots = slotsOf(person);
  return {
    title: name,
    facts: factsOf(person),
    sections: [
      { paragraphs: [leadOf(person, own)] },
      { heading: "Life", paragraphs: [lifeOf(person), ...bodyOf(prose, topic, profession, slots)] },
      ...(form ? sectionOf(worksHeadings[form], own.map(entryOf)) : []),
    ],
    seeAlso: [
      town.name,
      ...(profession === "founder"
        ? []
        : [`List of ${peopleCategories[profession].toLowerCase().replace("haldane", "Haldane")}`]),
    ],
    categories: [peopleCategories[profession], `People from ${town.name}`],
  };
}

function bodyOf(prose: Prose, topic: string, profession: Profession, slots: Slots): string[] {
  if (profession === "founder") return [prose.paragraph("founder.body", 3, slots)];
  return [prose.paragraph(`${topic}.body`, 3, slots), prose.paragraph(`${topic}.body`, 2, slots)];
}

function slotsOf({ name, isWoman, field = "", discovery = "" }: Person): Slots {
  return {
    First: name.split(" ").at(-1) as string,
    ...(isWoman
      ? { pronoun: "she", Pronoun: "She", possessive: "her", Possessive: "Her", object: "her" }
      : { pronoun: "he", Pronoun: "He", possessive: "his", Possessive: "His", object: "him" }),
    field,
    discovery,
  };
}

function factsOf(person: Person): [string, string][] {
  const { born, town, died, deathTown, university, field, office, termStart, termEnd, company, occupation } = person;
  return [
    ["Born", dayOf(born)],
    ["Birthplace", link(town.name)],
    ...(died !== undefined && deathTown
      ? ([
          ["Died", dayOf(died)],
          ["Place of death", link(deathTown.name)],
        ] as [string, string][])
      : []),
    ["Occupation", occupation],
    ...(field ? ([["Field", field]] as [string, string][]) : []),
    ...(university ? ([["Education", link(university.name)]] as [string, string][]) : []),
    ...(office ? ([["Office", `${office} (${termStart}–${termEnd})`]] as [string, string][]) : []),
    ...(company ? ([["Known for", `founding ${link(company)}`]] as [string, string][]) : []),
  ];
}

function leadOf(
  { name, born, died, occupation, office, discovery, company, termStart, termEnd }: Person,
  own: Work[],
): string {
  const life = died === undefined ? `born ${dayOf(born)}` : `${dayOf(born)} – ${dayOf(died)}`;
  const is = died === undefined ? "is" : "was";
  const what = withArticle(occupation);
  const [first] = own;
  const known =
    (office && ` and served as ${office} from ${termStart} to ${termEnd}`) ||
    (discovery && `, known for describing ${discovery}`) ||
    (company && ` who founded the company ${link(company)}`) ||
    (first && `, known for ${link(pageOf(first), first.title)} (${first.year})`) ||
    "";
  return `${name} (${life}) ${is} ${what} from ${link("Haldane")}${known}.`;
}

function lifeOf({ name, born, town, died, deathTown, university, isWoman }: Person): string {
  const last = name.split(" ").at(-1);
  const pronoun = isWoman ? "She" : "He";
  const studies = university ? ` ${pronoun} studied at ${universityLink(university.name)}.` : "";
  const death =
    died !== undefined && deathTown ? ` ${pronoun} died in ${link(deathTown.name)} in ${yearOf(died)}.` : "";
  return `${last} was born in ${link(town.name)} in ${yearOf(born)}.${studies}${death}`;
}

function universityLink(name: string): string {
  return /^(University|Alder Institute|Haldane Conservatory)/.test(name) ? `the ${link(name)}` : link(name);
}

function entryOf(work: Work): string {
  const details = work.museum ? `${work.year}, ${link(work.museum.name)}` : `${work.year}`;
  return `${link(pageOf(work), work.title)} (${details})`;
}
