/** Numbers in English words, parsed like the package word2number. The parser ignores words that are not numbers. */

const values = new Map(
  [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
  ].map((word, value): [string, number] => [word, value]),
);
for (const [tens, word] of ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"].entries())
  values.set(word, 10 * (tens + 2));
values.set("hundred", 100).set("thousand", 1e3).set("million", 1e6).set("billion", 1e9);

/** Returns the number in a text, or undefined if the text has no number or a malformed number. */
export function numberOfWords(text: string): number | undefined {
  const words = text
    .toLowerCase()
    .split(/[\s-]+/)
    .filter((word) => word === "point" || values.has(word));
  if (words.length === 0) return undefined;
  for (const word of ["thousand", "million", "billion", "point"])
    if (words.indexOf(word) !== words.lastIndexOf(word)) return undefined;
  const point = words.indexOf("point");
  const whole = integerOf(point === -1 ? words : words.slice(0, point));
  if (whole === undefined) return undefined;
  return point === -1 ? whole : whole + fractionOf(words.slice(point + 1));
}

function fractionOf(words: readonly string[]): number {
  const digits = words.map((word) => values.get(word) as number);
  return digits.length > 0 && digits.every((digit) => digit < 10) ? Number(`0.${digits.join("")}`) : 0;
}

function integerOf(words: readonly string[]): number | undefined {
  if (words.length === 0) return 0;
  if (words.length === 1) return values.get(words[0] as string);
  const places = ["billion", "million", "thousand"].map((word) => words.indexOf(word));
  const used = places.filter((at) => at !== -1);
  if (used.some((at, index) => index > 0 && at < (used[index - 1] as number))) return undefined;
  let sum = 0;
  let start = 0;
  for (const [index, at] of places.entries()) {
    if (at === -1) continue;
    const count = smallNumber(words.slice(start, at));
    if (count === undefined) return undefined;
    sum += count * 1000 ** (3 - index);
    start = at + 1;
  }
  // The words after the last place word (such as "thousand") are added to the sum. A place word at the end of the text is
  // skipped. As in word2number, "a million two thousand" thus counts "two thousand" twice.
  const last = places.findLast((at) => at !== -1 && at < words.length - 1);
  if (last === undefined && used.length > 0) return sum;
  const rest = smallNumber(last === undefined ? words : words.slice(last + 1));
  return rest === undefined ? undefined : sum + rest;
}

/**
 * Returns the number below 1,000 that a list of words means, or undefined for an empty list. As in word2number, only
 * the length of the list decides how the words are combined.
 */
function smallNumber(words: readonly string[]): number | undefined {
  const [first, second = 0, third = 0, fourth = 0] = words.map((word) => values.get(word) as number);
  if (first === undefined) return undefined;
  if (words.length === 4) return first * second + third + fourth;
  if (words.length === 3) return first * second + third;
  if (words.length === 2) return first === 100 || second === 100 ? first * second : first + second;
  return first;
}
