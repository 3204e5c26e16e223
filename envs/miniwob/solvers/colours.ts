/** Colors as hexadecimal digits, by the color names that tasks use. */
const colours: Readonly<Record<string, string>> = {
  aqua: "00ffff",
  black: "000000",
  blue: "0000ff",
  cyan: "00ffff",
  gold: "ffd700",
  gray: "808080",
  green: "008000",
  grey: "808080",
  lime: "00ff00",
  magenta: "ff00ff",
  maroon: "800000",
  navy: "000080",
  olive: "808000",
  orange: "ffa500",
  pink: "ffc0cb",
  purple: "800080",
  red: "ff0000",
  silver: "c0c0c0",
  teal: "008080",
  white: "ffffff",
  yellow: "ffff00",
};

export function isColourName(word: string): boolean {
  return Object.hasOwn(colours, word);
}

/** Returns the six hexadecimal digits of a named color. */
export function hexOf(name: string): string {
  return colours[name] ?? "";
}

/** Returns the six hexadecimal digits of a CSS color such as `rgb(1, 2, 3)`. */
export function hexOfCss(css: string): string {
  const parts = (css.match(/\d+/g) ?? []).slice(0, 3);
  return parts.map((part) => Number(part).toString(16).padStart(2, "0")).join("");
}
