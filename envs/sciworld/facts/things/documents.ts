/** Books, recipes, paper and pictures. The texts of the books are the beginnings of books in the public domain. */
import { jsonFile, once } from "../../../shared/kept/data-file.js";
import type { Detail } from "../../engine/kind-facts.js";
import { nameOf } from "../../engine/naming.js";
import type { Kind, Readable, Thing, World } from "../../engine/thing.js";
import { looksLike } from "../matter/words.js";

export type Book = Required<Readable>;

/** Titles, authors and texts of the books. The position of a book is its random number. */
export const bookTexts = jsonFile<readonly Book[]>(new URL("../../data/books.json", import.meta.url));
/** Random numbers of books are below this value. A number without a book is drawn again. */
const bookDraws = 10;

const titleOf = ({ readable }: Thing) => readable?.title ?? "";

const documents = { material: "paper", opening: "none", families: ["document"] } as const satisfies Partial<Kind>;

const documentWords: Kind["words"] = (thing) => {
  const [title, name] = [titleOf(thing), nameOf(thing)];
  return [thing.name, title, `${thing.name} called ${title}`, name, `${name} called ${title}`];
};

function book({ title, author, text }: Book): Kind {
  return {
    name: `book (${title})`,
    ...documents,
    furnish(thing) {
      thing.readable = { title, author, text: `The book reads:\n${title} by ${author}\n${text}` };
    },
    words(thing) {
      const name = nameOf(thing);
      const byTitle = [title, `${title} book`, `${name} called ${title}`];
      return ["book", `book by ${author}`, ...byTitle, thing.name, name, `${name} by ${author}`];
    },
    describe: (thing) => `A ${nameOf(thing)} titled ${title} by ${author}`,
  };
}

const books = once(() => bookTexts().map(book));
export const originOfSpecies = once(() => books().find(({ name }) => name.includes("Origin of Species")) as Kind);

export function randomBook(world: World): Thing {
  const all = books();
  let drawn = all.length;
  while (drawn >= all.length) drawn = world.random.nextInt(bookDraws);
  return world.make(all[drawn] as Kind);
}

const recipeKind: Kind = {
  name: "recipe",
  ...documents,
  words: documentWords,
  describe: (thing) => `A ${nameOf(thing)} titled ${titleOf(thing)}`,
};

/** Makes a recipe, which lists the ingredients of a product. */
export function recipe(product: string, ingredients: readonly string[], world: World): Thing {
  const thing = world.make(recipeKind);
  const text = `To make ${product}, you need to mix ${ingredients.join(", ")}.`;
  thing.readable = { title: `instructions to make ${product}`, text: `The recipe reads:\n${text}` };
  return thing;
}

function unwritten(name: string, describe: Kind["describe"]): Kind {
  return {
    name,
    ...documents,
    words: documentWords,
    describe,
    furnish(thing) {
      thing.readable = { title: "", text: "The paper does not have any text on it." };
    },
  };
}

export const paper = unwritten("paper", looksLike("A blank "));
export const colouredPaper = (color: string) => unwritten(`${color} paper`, looksLike("A "));

/** Words of pictures, from which each picture draws one of a kind, in this order. */
export interface PictureWords {
  kinds: readonly string[];
  subjects: readonly string[];
  artists: readonly string[];
}

export const pictureWords = jsonFile<PictureWords>(new URL("../../data/pictures.json", import.meta.url));

function picture(subject: string, artist: string): Kind {
  return {
    name: "picture",
    material: "paper",
    opening: "none",
    words: (thing) => [thing.name, nameOf(thing)].flatMap((name) => [name, `${name} of ${subject}`]),
    describe(thing, detail: Detail) {
      if (detail === "brief") return `a ${nameOf(thing)}`;
      return `a ${nameOf(thing)} of ${subject}.  The artist is listed as ${artist}. `;
    },
  };
}

export function randomPicture(world: World): Thing {
  const draw = (values: readonly string[]) => values[world.random.nextInt(values.length)] as string;
  const { kinds, subjects, artists } = pictureWords();
  const [name, subject, artist] = [draw(kinds), draw(subjects), draw(artists)];
  return world.make(picture(subject, artist), name);
}
