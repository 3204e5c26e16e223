/** Converts LaTeX and typographic signs to plain text: `\dfrac{1}{2}\times x` becomes `frac{1}{2}* x`. */

const signs: Record<string, string> = {
  "×": "*",
  "·": "*",
  "∙": "*",
  "⋅": "*",
  "÷": "/",
  "−": "-",
  "–": "-",
  "—": "-",
  "∕": "/",
  "⁄": "/",
  "∞": " infinity ",
  "∪": " cup ",
  π: " pi ",
  "≈": "",
  "√": " sqrt ",
  "°": " degrees ",
  "≤": "<=",
  "⩽": "<=",
  "≥": ">=",
  "⩾": ">=",
  "≠": "!=",
  "∅": " emptyset ",
  "∈": " in ",
  ℝ: " reals ",
  "∖": " setminus ",
  "½": " 1/2",
  "¼": " 1/4",
  "¾": " 3/4",
  "⅓": " 1/3",
  "⅔": " 2/3",
  "\u2009": " ",
  "\u202f": " ",
};

const commands: Record<string, string> = {
  cdot: "*",
  times: "*",
  ast: "*",
  div: "/",
  infty: " infinity ",
  dfrac: "frac",
  tfrac: "frac",
  cfrac: "frac",
  lbrace: "\\{",
  rbrace: "\\}",
  lvert: "|",
  rvert: "|",
  vert: "|",
  approx: "",
  degree: " degrees ",
  circ: " degrees ",
  quad: " ",
  qquad: " ",
  lfloor: " floor(",
  rfloor: ")",
  lceil: " ceil(",
  rceil: ")",
  le: "<=",
  leq: "<=",
  leqslant: "<=",
  ge: ">=",
  geq: ">=",
  geqslant: ">=",
  lt: "<",
  gt: ">",
  ne: "!=",
  neq: "!=",
  mid: "|",
  colon: ":",
  cup: " cup ",
  in: " in ",
  lor: " or ",
  vee: " or ",
  land: " and ",
  wedge: " and ",
  emptyset: " emptyset ",
  varnothing: " emptyset ",
  setminus: " setminus ",
  backslash: " setminus ",
};

/** Matches LaTeX commands that change only the appearance. */
const looks =
  /\\(?:left|right|[bB]igg?[lr]?|displaystyle|textstyle|limits|nolimits|[,;:!> ])(?![a-zA-Z])|\\(?:left|right)(?=\w)|[~\u00a0]/g;
const written =
  /\\(?:text|textbf|textit|textrm|textnormal|mbox|mathrm|mathbf|mathit|operatorname|rm|bf)\s*\{([^{}]*)\}/g;

const reals = /\\(?:mathbb|mathbf|Bbb)\s*(?:\{\s*R\s*\}|R(?![a-zA-Z]))|\\(?:R|Reals|reals)(?![a-zA-Z])/g;
/** Matches a decimal whose last digits repeat forever, as LaTeX writes it with a line or a dot above these digits. */
const repeating = /(\d*\.\d*)\s*\\(?:overline|bar|dot)\s*(?:\{\s*(\d+)\s*\}|(\d))/g;
const raised = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const lowered = "₀₁₂₃₄₅₆₇₈₉";

/** Returns the plain text. The braces `\{` and `\}` of a set are kept. */
export function plain(text: string): string {
  return text
    .normalize("NFC")
    .replace(/⁻?[⁰¹²³⁴-⁹]+/g, (run) => `^${shifted(run, raised)}`)
    .replace(/[₀-₉]+/g, (run) => `_${shifted(run, lowered)}`)
    .replace(/[^ -~]/gu, (sign) => signs[sign] ?? sign)
    .replaceAll("{,}", "")
    .replace(looks, "")
    .replace(reals, " reals ")
    .replace(repeating, (_, before: string, group = "", digit = "") => `${before}‾${group}${digit}`)
    .replace(written, " $1 ")
    .replace(/\^\s*\{?\s*\\(?:circ|degree)\s*\}?/g, " degrees ")
    .replace(/\\([a-zA-Z]+)/g, (_, name: string) => commands[name] ?? ` ${name}`)
    .replace(/\\([%#&_])/g, "$1")
    .trim();
}

/** Turns raised or lowered digits into plain ones, in braces if there are several. */
function shifted(run: string, digits: string): string {
  const text = [...run].map((sign) => (sign === "⁻" ? "-" : digits.indexOf(sign))).join("");
  return text.length === 1 ? text : `{${text}}`;
}
