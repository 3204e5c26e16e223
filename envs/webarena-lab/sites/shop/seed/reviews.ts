/** Generates customers' reviews of products. */
import { day, now } from "../../../clock.js";
import { Random } from "../../../seed/random.js";
import { towns } from "../../../seed/region.js";
import type { Customer, Product, Review, ReviewStatus } from "../records.js";
import type { Place } from "./catalogue.js";
import { type Content, type ReviewWords, readContent, readReviewWords, type Shelf } from "./lists.js";

const count = 4000;

/** Returns the products in a random order, which defines their popularity: popular products come first. */
export function byPopularity(products: readonly Product[]): Product[] {
  const shown = products.filter(({ parent }) => parent === null);
  Random.of("shop popularity").shuffle(shown);
  return shown;
}

/** Draws an item from a list. Items at the front of the list are more frequent. */
export function popular<T>(ranked: readonly T[], random: Random): T {
  return ranked[Math.floor(ranked.length * random.random() ** 1.8)] as T;
}

export function makeReviews(
  products: readonly Product[],
  places: readonly Place[],
  customers: readonly Customer[],
): Review[] {
  const random = Random.of("shop reviews");
  const ranked = byPopularity(products);
  const shelves = new Map(places.map(({ category, shelf }) => [category.id, shelf]));
  const times = Array.from({ length: count }, () => now - Math.floor(random.random() ** 1.3 * 900 * day) - 3_600_000);
  const words = readReviewWords();
  const content = readContent();
  return times
    .sort((one, other) => one - other)
    .map((at, index) => {
      const product = popular(ranked, random);
      const shelf = shelves.get(product.categories.at(-1) as number) as Shelf;
      const stars = starsOf(product, random);
      const customer = random.chance(0.4) ? random.choice(customers) : null;
      const nickname = customer && random.chance(0.4) ? customer.firstName : nicknameOf(content, customers, random);
      const text = textOf(stars, product, shelf, words, random);
      const title = random.choice(words.titles[stars] as readonly string[]);
      const own = { product: product.id, customer: customer?.id ?? null, nickname, title, text, stars, at };
      return { id: index + 1, ...own, status: statusOf(at, stars, random) };
    });
}

/** Draws the number of stars of a review. Most products get good ratings. */
function starsOf({ id }: Product, random: Random): number {
  const isLiked = (id * 7919) % 10 < 8;
  const stars = isLiked
    ? random.weighted({ 5: 52, 4: 24, 3: 10, 2: 6, 1: 8 })
    : random.weighted({ 5: 16, 4: 16, 3: 20, 2: 20, 1: 28 });
  return Number(stars);
}

/** Draws the status of a review. Some reviews of the last days are pending. */
function statusOf(at: number, stars: number, random: Random): ReviewStatus {
  if (at > now - 9 * day && random.chance(0.55)) return 2;
  return stars === 1 && random.chance(0.04) ? 3 : 1;
}

function textOf(stars: number, { brand }: Product, shelf: Shelf, words: ReviewWords, random: Random): string {
  const tone = stars >= 4 ? "good" : stars === 3 ? "mixed" : "bad";
  const complaint = () => random.choice(random.choice(Object.values(shelf.con)));
  const [first, second] = random.sample(shelf.pro, 2) as [string, string];
  const remarks = {
    good: [
      first,
      ...(random.chance(0.35) ? [second] : []),
      ...(stars === 4 && random.chance(0.3) ? [complaint()] : []),
    ],
    mixed: [first, complaint()],
    bad: [complaint(), ...(random.chance(0.2) ? [first] : [])],
  }[tone];
  const parts = [
    ...(random.chance(0.8) ? [random.choice(words.openings[tone])] : []),
    ...remarks,
    ...(random.chance(0.55) ? [random.choice(words.contexts)] : []),
    ...(random.chance(0.5) ? [random.choice(words.closings[tone])] : []),
  ];
  const who = random.choice(words.people);
  const [span, town] = [random.choice(words.spans), random.choice(towns).name];
  const whoCap = `${who[0]?.toUpperCase()}${who.slice(1)}`;
  return filled(parts.filter(Boolean).join(" "), { brand, span, town, who, who_cap: whoCap });
}

/** Replaces each name in braces with its value. */
function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.includes("{") ? text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "") : text;
}

function nicknameOf({ nicknames }: Content, customers: readonly Customer[], random: Random): string {
  const { firstName, lastName } = random.choice(customers);
  const [pattern, town, n] = [random.choice(nicknames), random.choice(towns).name, `${random.between(2, 99)}`];
  const [f, l] = [firstName.slice(0, 1), lastName.slice(0, 1)];
  return filled(pattern, { first: firstName, last: lastName, f, l, town, n });
}
