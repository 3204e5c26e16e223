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
  "²": "^2",
  "³": "^3",
  "½": " 1/2",
  "¼": " 1/4",
  "¾": " 3/4",
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
};

/** Matches LaTeX commands that change only the appearance. */
const looks =
  /\\(?:left|right|[bB]igg?[lr]?|displaystyle|textstyle|limits|nolimits|[,;:!> ])(?![a-zA-Z])|\\(?:left|right)(?=\w)|[~\u00a0]/g;
const written =
  /\\(?:text|textbf|textit|textrm|textnormal|mbox|mathrm|mathbf|mathit|operatorname|rm|bf)\s*\{([^{}]*)\}/g;

/** Returns the plain text. The braces `\{` and `\}` of a set are kept. */
export function plain(text: string): string {
  return text
    .normalize("NFC")
    .replace(/[^ -~]/gu, (sign) => signs[sign] ?? sign)
    .replaceAll("{,}", "")
    .replace(looks, "")
    .replace(written, " $1 ")
    .replace(/\^\s*\{?\s*\\(?:circ|degree)\s*\}?/g, " degrees ")
    .replace(/\\([a-zA-Z]+)/g, (_, name: string) => commands[name] ?? ` ${name}`)
    .replace(/\\([%#&_])/g, "$1")
    .trim();
}
