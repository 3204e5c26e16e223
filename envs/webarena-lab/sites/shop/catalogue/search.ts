/** Product search. */
import type { Product } from "../records.js";

const texts = new WeakMap<Product, string>();

function textOf(product: Product): string {
  let text = texts.get(product);
  if (text === undefined) {
    text = ` ${words(`${product.name} ${product.sku} ${product.brand}`).join(" ")} `;
    texts.set(product, text);
  }
  return text;
}

/** Splits a text into lower-case words without plural endings. */
function words(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .map((word) => (word.length > 3 ? word.replace(/(?<=[^s])s$/, "") : word));
}

/**
 * Returns a function that tests whether a product matches all words of a query. A query word matches the start of a
 * word in the name, brand or SKU.
 */
export function finder(query: string): (product: Product) => boolean {
  const wanted = words(query).map((word) => ` ${word}`);
  return (product) => {
    const text = textOf(product);
    return wanted.length > 0 && wanted.every((word) => text.includes(word));
  };
}

/** Returns a function that counts the query words that occur as whole words in a product's name, brand or SKU. */
export function hitsOf(query: string): (product: Product) => number {
  const wanted = words(query).map((word) => ` ${word} `);
  return (product) => {
    const text = textOf(product);
    return wanted.filter((word) => text.includes(word)).length;
  };
}
