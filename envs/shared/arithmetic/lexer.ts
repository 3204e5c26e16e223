import { constants, functions, NotAFormula } from "./tree.js";

export interface Token {
  kind: "number" | "name" | "sign";
  text: string;
  /** Whether white space precedes the token. */
  isApart: boolean;
}

/**
 * Matches adjacent letters that are read as a product, such as `xy`. If every word were a product, "list" would equal
 * its anagram "silt".
 */
const product = /^[abcxyz]{2,3}$/;
const pattern =
  /(\s*)(?:(\d*\.\d*‾\d+|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([a-zA-Z]+)|(\*\*|[-+*/^(){}[\]|!%,_]))/y;
const otherNames: Record<string, string> = {
  arcsin: "asin",
  arccos: "acos",
  arctan: "atan",
  comb: "binom",
  choose: "binom",
  dbinom: "binom",
  tbinom: "binom",
  ceiling: "ceil",
  cosec: "csc",
};

/**
 * @param text text that the function `plain` returned
 * @throws {NotAFormula} the text is not a formula
 */
export function tokensOf(text: string, most = 500): Token[] {
  const tokens: Token[] = [];
  pattern.lastIndex = 0;
  while (pattern.lastIndex < text.trimEnd().length) {
    const at = pattern.lastIndex;
    const [, space = "", number, letters, sign] = pattern.exec(text) ?? [];
    if (number === undefined && letters === undefined && sign === undefined)
      throw new NotAFormula(
        `expected numbers, signs and functions, but received ${JSON.stringify(text.slice(at).trim()[0])}`,
      );
    const isApart = space !== "";
    if (number !== undefined) tokens.push({ kind: "number", text: number, isApart });
    else if (sign !== undefined) tokens.push({ kind: "sign", text: sign === "**" ? "^" : sign, isApart });
    else for (const name of namesOf(letters as string)) tokens.push({ kind: "name", text: name, isApart });
    if (tokens.length > most)
      throw new NotAFormula(
        `expected a formula of at most ${most} numbers, names and signs, but received a longer formula`,
      );
  }
  return tokens;
}

function namesOf(letters: string): string[] {
  const name = otherNames[letters.toLowerCase()] ?? letters.toLowerCase();
  if (Object.hasOwn(functions, name) || name === "frac" || name === "pi") return [name];
  if (letters.length === 1) return [constants.has(name) && letters === name ? name : letters];
  if (product.test(letters)) return [...letters];
  throw new NotAFormula(
    `expected numbers, signs and functions, but received the word ${JSON.stringify(letters.slice(0, 40))}`,
  );
}
