/** Generates the category tree and the products in it. */
import { day, now } from "../../../clock.js";
import { Random } from "../../../seed/random.js";
import { slug } from "../format.js";
import type { Axis, Category, Chosen, Product } from "../records.js";
import { type Branch, isShelf, readCatalogue, readContent, type Shelf } from "./lists.js";

const perShelf = 29;

/** A kind of product, with its position in the category tree. */
export interface Place {
  shelf: Shelf;
  category: Category;
  /** The category with all its ancestors. */
  line: readonly Category[];
  brands: readonly string[];
}

export interface Catalogue {
  categories: Category[];
  products: Product[];
  /** Categories with products, each with its kind of product. */
  places: Place[];
}

export function makeCatalogue(): Catalogue {
  const categories: Category[] = [];
  const places: Place[] = [];
  const grow = (node: Branch | Shelf, line: readonly Category[], brands: readonly string[]) => {
    const above = line.at(-1);
    const path = [...(above ? [above.path] : []), slug(node.name)].join("/");
    const picture = `${line[0]?.picture ?? ""}/${slug(node.name)}`.replace(/^\//, "");
    const category = { id: categories.length + 3, name: node.name, path, parent: above?.id ?? null, picture };
    categories.push(category);
    const grown = [...line, category];
    if (isShelf(node)) places.push({ shelf: node, category, line: grown, brands });
    else for (const child of node.children) grow(child, grown, node.brands ?? brands);
  };
  for (const branch of readCatalogue()) grow(branch, [], []);
  return { categories, places, products: makeProducts(places) };
}

function makeProducts(places: readonly Place[]): Product[] {
  const random = Random.of("shop products");
  const series = readContent().series;
  const products: Product[] = [];
  const taken = new Set<string>();
  const variants: Product[] = [];
  for (const place of places) {
    for (let at = 0; at < perShelf; at++) {
      const product = makeProduct(products.length + 1, place, series, taken, random);
      products.push(product);
    }
  }
  for (const product of products) variants.push(...variantsOf(product, products.length + variants.length, random));
  const sold = new Set(variants.flatMap(({ isInStock, parent }) => (isInStock ? [parent] : [])));
  return [...products.map((product) => withStockOf(product, sold)), ...variants];
}

function makeProduct(
  id: number,
  { shelf, line, brands }: Place,
  series: readonly string[],
  taken: Set<string>,
  random: Random,
): Product {
  const brand = random.choice(brands);
  const axes = axesOf(shelf, random);
  const noun = random.choice(shelf.nouns);
  const draw = () => named(noun, brand, random.choice(series), shelf, axes, random);
  let name = draw();
  while (taken.has(slug(name))) name = draw();
  taken.add(slug(name));
  const price = priceOf(shelf, random);
  const qty = random.chance(0.06) ? 0 : random.between(1, 24) * random.choice([1, 1, 3, 8, 20]);
  return {
    id,
    sku: skuOf(random),
    name,
    urlKey: slug(name),
    brand,
    price,
    qty,
    axes,
    categories: line.map((category) => category.id),
    specialPrice: random.chance(0.16) ? Math.round((price * random.between(60, 90)) / 10_000) * 100 - 1 : null,
    isInStock: qty > 0,
    isEnabled: true,
    parent: null,
    chosen: [],
    attributes: attributesOf(brand, shelf, random),
    summary: random.choice(shelf.text),
    description: describe(brand, noun, shelf, random),
    createdAt: now - random.between(30, 1100) * day,
  };
}

function named(noun: string, brand: string, line: string, shelf: Shelf, axes: readonly Axis[], random: Random): string {
  const [one, two, three] = random.sample(shelf.features, 3) as [string, string, string];
  const use = random.choice(shelf.uses);
  const color = shelf.colors && !axes.some(({ label }) => label === "Color") ? random.choice(shelf.colors) : undefined;
  const long = random.choice([
    () => `${brand} ${line} ${noun} ${use}, ${one}, ${two}, ${three}`,
    () => `${brand} ${noun} ${line}, ${one}, ${two} ${use}`,
    () => `${brand} ${line} ${noun} - ${one}, ${two}`,
    () => `${noun} ${use} by ${brand}, ${line} Edition, ${one}, ${two}`,
    () => `${brand} ${line}: ${one} ${noun} ${use} (${two}, ${three})`,
  ])();
  return color ? `${long}${long.endsWith(")") ? " " : ", "}${color}` : long;
}

function axesOf({ colors, sizes }: Shelf, random: Random): Axis[] {
  const isColored = colors && random.chance(sizes ? 0.4 : 0.22);
  return [
    ...(sizes ? [{ label: "Size", values: sizes }] : []),
    ...(isColored ? [{ label: "Color", values: colors.slice(0, random.between(2, 3)) }] : []),
  ];
}

/** Draws a price. Most prices are near the lower end of the kind's price range. */
function priceOf({ price: [low, high] }: Shelf, random: Random): number {
  const dollars = low + (high - low) * random.random() ** 2.2;
  const cents = random.choice([99, 99, 99, 95, 49, 0, 50, random.between(1, 98)]);
  return Math.floor(dollars) * 100 + cents;
}

const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ0123456789";

function skuOf(random: Random): string {
  return `B0${Array.from({ length: 8 }, () => letters[random.integers(0, letters.length)]).join("")}`;
}

function attributesOf(brand: string, { specs }: Shelf, random: Random): Chosen[] {
  return [
    { label: "Brand", value: brand },
    ...Object.entries(specs).map(([label, values]) => ({ label, value: random.choice(values) })),
    { label: "Item Weight", value: `${(random.between(2, 160) / 10).toFixed(1)} pounds` },
    { label: "Country of Origin", value: random.choice(["Haldane", "Haldane", "Norrland", "Ostmark", "Tavria"]) },
    { label: "Warranty", value: random.choice(["6 months", "1 year", "1 year", "2 years", "None"]) },
  ];
}

function describe(brand: string, noun: string, { text, pro }: Shelf, random: Random): string {
  const opening = random.choice([
    `${brand} makes its ${noun.toLowerCase()} for people who use it every day.`,
    `The ${brand} team spent two winters on this ${noun.toLowerCase()}.`,
    `Good things do their work and stay out of your way, and so does the ${brand} ${noun.toLowerCase()}.`,
    `Small changes make this ${noun.toLowerCase()} better than the one before.`,
    `This is the ${noun.toLowerCase()} that our own staff take home.`,
    `You asked ${brand} for a simpler ${noun.toLowerCase()}, and here it is.`,
  ]);
  const quoted = random.chance(0.3) ? ` As one tester put it: "${random.choice(pro)}"` : "";
  return `${opening} ${random.sample(text, 3).join(" ")}${quoted}`;
}

/** Creates one variant for each combination of values. The first id is `last` + 1. */
function variantsOf(product: Product, last: number, random: Random): Product[] {
  if (product.axes.length === 0) return [];
  const combinations = product.axes.reduce<Chosen[][]>(
    (before, { label, values }) => before.flatMap((one) => values.map((value) => [...one, { label, value }])),
    [[]],
  );
  return combinations.map((chosen, at) => {
    const ending = chosen.map(({ value }) => value.replaceAll(" ", "")).join("-");
    const qty = random.chance(0.1) ? 0 : random.between(1, 120);
    const name = `${product.name}-${chosen.map(({ value }) => value).join("-")}`;
    const own = { id: last + at + 1, sku: `${product.sku}-${ending}`, name, urlKey: slug(name), chosen, qty };
    return { ...product, ...own, axes: [], isInStock: qty > 0, parent: product.id };
  });
}

/** @param sold ids of configurable products with a variant in stock */
function withStockOf(product: Product, sold: ReadonlySet<number | null>): Product {
  return product.axes.length === 0 ? product : { ...product, qty: 0, isInStock: sold.has(product.id) };
}
