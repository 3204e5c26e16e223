import { type Query, unknown } from "./answers.js";
import { labelOf, type Person } from "./history.js";

const unknowns = [
  "unknown,not mentioned,never mentioned,not known,not stated,not specified,not given,none,no information,not enough information",
  "it was not mentioned,it is not mentioned,it was never mentioned,you never mentioned it,you did not mention it,you didn't mention it",
  "you never told me,you did not tell me,you didn't tell me,i don't know,i do not know,cannot be determined",
].flatMap((line) => line.split(","));

const words = "zero,one,two,three,four,five,six,seven,eight,nine,ten,eleven,twelve,thirteen,fourteen,fifteen".split(
  ",",
);

/**
 * Returns the accepted spellings of an answer, the simplest first. Differences that SQuAD's normalization removes, such
 * as case, need no separate spelling.
 */
export function spellingsOf(query: Query, answer: string | null, people: readonly Person[]): string[] {
  if (answer === null) return unknowns;
  const spellings = ownSpellings(query, answer, people);
  return [...new Set([...spellings, ...spellings.map(plain), ...spellings.map((one) => one.replaceAll("&", "and"))])];
}

/** Returns a text without accents. */
function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "");
}

function ownSpellings(query: Query, answer: string, people: readonly Person[]): string[] {
  switch (query.kind) {
    case "count":
      return [answer, ...words.slice(Number(answer), Number(answer) + 1)];
    case "sum":
      return money(answer);
    case "order":
      return orders(answer.split(", "));
    case "choice":
      return [answer, `${query.options.findIndex(({ name }) => name === answer) + 1}. ${answer}`];
    case "both":
      return boths(query.queries, answer.split(", "), people);
    case "proposer":
      return whoSpellings(answer, people);
    default:
      return valueSpellings(answer);
  }
}

/** Returns all combinations of spellings, without the rarer spellings of `unknown` and the numbers of the answers. */
function boths(queries: readonly Query[], answers: string[], people: readonly Person[]): string[] {
  const [firsts = [], seconds = []] = queries.map((query, at) =>
    answers[at] === unknown ? unknowns.slice(0, 8) : spellingsOf(query, answers[at] as string, people),
  );
  return [", ", " and "].flatMap((between) =>
    firsts.flatMap((first) => seconds.map((second) => `${first}${between}${second}`)),
  );
}

function orders(items: string[]): string[] {
  const last = items.at(-1) as string;
  const numbered = items.map((item, at) => `${at + 1}. ${item}`).join(" ");
  return [items.join(", "), items.join(" then "), `${items.slice(0, -1).join(", ")} and ${last}`, numbered];
}

function money(amount: string): string[] {
  const units = [`€${amount}`, `${amount}€`, `${amount} euros`, `${amount} euro`, `${amount} EUR`, `EUR ${amount}`];
  return [amount, ...units, ...units.flatMap((one) => [`${one} a month`, `${one} per month`])];
}

function whoSpellings(who: string, people: readonly Person[]): string[] {
  if (who === "user" || who === "assistant") return [who, `the ${who}`];
  const person = people.find(({ name }) => name === who) as Person;
  return [
    who,
    labelOf(person),
    `my ${person.role}`,
    `your ${person.role} ${who}`,
    `your ${person.role}`,
    `${person.role} ${who}`,
  ];
}

function valueSpellings(value: string): string[] {
  const euros = /^€(.+)$/.exec(value)?.[1];
  if (euros !== undefined) return [value, ...money(euros)];
  if (/^\d+$/.test(value)) return [value, `number ${value}`];
  const [, day, hour, minute] = /^(\w+day) at (\d+):(\d+)$/.exec(value) ?? [];
  if (day === undefined) return [value];
  const twelve = `${((Number(hour) + 11) % 12) + 1}:${minute} ${Number(hour) < 12 ? "am" : "pm"}`;
  const clocks = [`${hour}:${minute}`, `0${hour}:${minute}`.slice(-5), twelve, twelve.replace(" ", "")];
  const whole = clocks.filter((clock) => clock.includes(":00")).map((clock) => clock.replace(":00", ""));
  const days = [day, `${day}s`];
  return [
    value,
    ...[...clocks, ...whole].flatMap((clock) =>
      days.flatMap((one) => [`${one} at ${clock}`, `${one} ${clock}`, `${one}, at ${clock}`, `on ${one} at ${clock}`]),
    ),
  ];
}
