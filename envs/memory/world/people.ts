import type { Draw } from "./draw.js";
import type { Person } from "./history.js";

interface Names {
  women: readonly string[];
  men: readonly string[];
}

/** First names for each split. No name occurs in two splits. */
const names: Readonly<Record<string, Names>> = {
  train: {
    women: "Ana,Lena,Marta,Ines,Sofia,Clara,Nadia,Freya,Yara,Elif,Rosa,Maja,Greta,Aiko,Leila,Petra".split(","),
    men: "Jonas,Pedro,Milan,Omar,Lukas,Theo,Ravi,Emil,Bruno,Samir,Felix,Anton,Diego,Henrik,Tomas,Kofi".split(","),
  },
  dev: {
    women: "Irina,Paula,Zeynep,Astrid,Mira,Hanna,Lucia,Noor,Daria,Yuki".split(","),
    men: "Marek,Oskar,Rashid,Tiago,Viktor,Matteo,Jakob,Hugo,Arjun,Kwame".split(","),
  },
  test: {
    women: "Edda,Carmen,Signe,Bianca,Farah,Olga,Tamar,Vera,Priya,Livia".split(","),
    men: "Nikos,Stefan,Andrei,Joao,Karim,Mateus,Rune,Silas,Hiroshi,Ole".split(","),
  },
};

const rolesOfWomen = ["sister", "aunt", "niece", "mother-in-law"];
const rolesOfMen = ["brother", "uncle", "nephew", "father-in-law"];
const rolesOfAll = ["best friend", "colleague", "neighbour", "cousin", "flatmate", "old schoolmate"];

/** Draws the first name of the user and six other people with different names and roles. */
export function drawPeople(draw: Draw, split: string): { user: string; people: Person[] } {
  const pools = names[split] as Names;
  const [women, men] = [draw.some(pools.women, 5), draw.some(pools.men, 5)];
  const user = (draw.chance(2) ? women : men).pop() as string;
  const person = (pool: string[], role: string): Person => ({ name: pool.pop() as string, role });
  const people = [
    person(women, draw.one(rolesOfWomen)),
    person(men, draw.one(rolesOfMen)),
    ...draw.some(rolesOfAll, 4).map((role, at) => person(at % 2 === 0 ? women : men, role)),
  ];
  return { user, people };
}
