/** Tasks in the encyclopedia about artists, scholars and founders, and their works. */
import { click, stop } from "../../plan.js";
import { museums, universities } from "../../seed/landmarks.js";
import type { Random } from "../../seed/random.js";
import { towns } from "../../seed/region.js";
import { pageOf } from "../../sites/wiki/articles/works.js";
import { companies } from "../../sites/wiki/facts/companies.js";
import { people, yearOf } from "../../sites/wiki/facts/people.js";
import { type Form, works, worksBy } from "../../sites/wiki/facts/works.js";
import { type Problem, rarelyImpossible, type Template } from "../common/template.js";
import { addressOf, isDistinct, look } from "./steps.js";

const site = { sites: ["wikipedia"] } as const;

function worksOf(form: Form) {
  return works().filter((work) => work.form === form);
}

function directedFilm(random: Random): Problem | undefined {
  const [film, other] = random.sample(worksOf("film"), 2);
  if (!film || !other || film.by.name === other.by.name) return undefined;
  if (works().some((work) => work !== film && work.title === film.title)) return undefined;
  const read = look(pageOf(film));
  return {
    slots: { title: film.title },
    evaluation: { reference_answers: { exact_match: film.by.name } },
    plan: [...read, stop(film.by.name)],
    nearMisses: { "another director": [...read, stop(other.by.name)], "not found": [...read, stop("N/A")] },
  };
}

function unfilmedNovel(random: Random): Problem | undefined {
  const novel = random.choice(worksOf("novel"));
  if (worksOf("film").some(({ title }) => title === novel.title)) return undefined;
  const director = random.choice(people().filter(({ profession }) => profession === "director"));
  return {
    slots: { title: novel.title },
    evaluation: {
      reference_answers: { exact_match: "N/A" },
      string_note: "The encyclopedia knows of a novel with this title, but of no film.",
    },
    plan: [...look(pageOf(novel)), click("link", "List of novels from Haldane"), stop("N/A")],
    nearMisses: {
      "the author": [...look(pageOf(novel)), stop(novel.by.name)],
      "some director": [...look(director.name), stop(director.name)],
    },
  };
}

export const wikiArtsTemplates: readonly Template[] = [
  {
    ...site,
    name: "wiki-author-birthplace",
    kind: "find",
    intent: 'In which town was the author of the novel "{{novel}}" born? Answer with its name.',
    draw(random) {
      const novel = random.choice(worksOf("novel"));
      const { by } = novel;
      const other = random.choice(towns.filter((town) => town !== by.town));
      const read = [...look(pageOf(novel)), click("link", by.name)];
      return {
        slots: { novel: novel.title },
        evaluation: { reference_answers: { exact_match: by.town.name } },
        plan: [...read, stop(by.town.name)],
        nearMisses: {
          "the author": [...look(pageOf(novel)), stop(by.name)],
          "another town": [...read, stop(other.name)],
        },
      };
    },
  },
  {
    ...site,
    name: "wiki-films-before",
    kind: "find",
    intent: "How many of the films that {{director}} directed were released before {{year}}? Answer with a number.",
    draw(random) {
      const { name, ...director } = random.choice(people().filter(({ profession }) => profession === "director"));
      const films = works().filter(({ by, form }) => form === "film" && by.name === name && by.born === director.born);
      const [first, last] = [Math.min(...films.map(({ year }) => year)), Math.max(...films.map(({ year }) => year))];
      if (films.length < 3) return undefined;
      const year = random.between(first + 1, last - 1);
      const count = films.filter((film) => film.year < year).length;
      if (films.some((film) => film.year === year)) return undefined;
      return {
        slots: { director: name, year },
        evaluation: { reference_answers: { exact_match: `${count}` } },
        plan: [...look(name), stop(`${count}`)],
        nearMisses: {
          "all films": [...look(name), stop(`${films.length}`)],
          "one too many": [...look(name), stop(`${count + 1}`)],
        },
      };
    },
  },
  {
    ...site,
    name: "wiki-university-of",
    kind: "navigate",
    intent: "Open the encyclopedia's article on the university at which {{person}} studied.",
    draw(random) {
      const person = random.choice(people().filter(({ profession }) => profession === "scientist"));
      const { university } = person;
      if (!university || !isDistinct(university.name)) return undefined;
      const other = random.choice(universities.filter((one) => one !== university));
      return {
        slots: { person: person.name },
        evaluation: { reference_url: addressOf(university.name) },
        plan: [...look(person.name), click("link", university.name), stop()],
        nearMisses: {
          "the person's own article": [...look(person.name), stop()],
          "another university": [...look(other.name), stop()],
        },
      };
    },
  },
  {
    ...site,
    name: "wiki-founder-born",
    kind: "find",
    intent: "In which year was the founder of the company {{company}} born?",
    draw(random) {
      const { name, founder, founded } = random.choice(companies());
      const year = `${yearOf(founder.born)}`;
      const read = [...look(name), click("link", founder.name)];
      return {
        slots: { company: name },
        evaluation: { reference_answers: { exact_match: year } },
        plan: [...read, stop(year)],
        nearMisses: {
          "the year of the company": [...look(name), stop(`${founded}`)],
          "the founder's name": [...read, stop(founder.name)],
        },
      };
    },
  },
  {
    ...site,
    name: "wiki-film-director",
    kind: "find",
    intent:
      'Who directed the film "{{title}}"? Answer with a name, or with N/A if the encyclopedia knows of no such film.',
    draw: rarelyImpossible(unfilmedNovel, directedFilm),
  },
  {
    ...site,
    name: "wiki-album-span",
    kind: "find",
    intent: "How many years lie between the first and the last album of {{musician}}? Answer with a number.",
    draw(random) {
      const musician = random.choice(people().filter(({ profession }) => profession === "musician"));
      const albums = worksBy(musician);
      const [first, last] = [albums[0], albums.at(-1)];
      if (!first || !last || first === last) return undefined;
      const span = last.year - first.year;
      return {
        slots: { musician: musician.name },
        evaluation: { reference_answers: { exact_match: `${span}` } },
        plan: [...look(musician.name), stop(`${span}`)],
        nearMisses: {
          "the last year": [...look(musician.name), stop(`${last.year}`)],
          "counted with both ends": [...look(musician.name), stop(`${span + 1}`)],
        },
      };
    },
  },
  {
    ...site,
    name: "wiki-painting-museum",
    kind: "find",
    intent: 'In which year was the museum opened where the painting "{{painting}}" hangs?',
    draw(random) {
      const painting = random.choice(worksOf("painting"));
      const { museum } = painting;
      if (!museum) return undefined;
      const read = [...look(pageOf(painting)), click("link", museum.name)];
      const other = random.choice(museums.filter(({ opened }) => opened !== museum.opened));
      return {
        slots: { painting: painting.title },
        evaluation: { reference_answers: { exact_match: `${museum.opened}` } },
        plan: [...read, stop(`${museum.opened}`)],
        nearMisses: {
          "the year of the painting": [...look(pageOf(painting)), stop(`${painting.year}`)],
          "another museum's year": [...read, stop(`${other.opened}`)],
        },
      };
    },
  },
];
