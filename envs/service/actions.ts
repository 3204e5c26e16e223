/**
 * Parses the actions of service. The action is the first line that begins with the name of a command; any other text is a
 * message to the customer.
 */
import { tools } from "./tools.js";

export type ServiceAction =
  | { kind: "command"; name: string; args: string[] }
  | { kind: "say"; message: string }
  | { kind: "invalid"; received: string };

/** Names of parameters whose value is all text to the end of the line. */
const longParameters = ["text", "address"];
const parametersOf = new Map(
  tools.filter(({ name }) => name !== "say").map(({ name, parameters }) => [name, parameters.required ?? []]),
);
const firstWord = /^[ \t]*(?:[>*`-][ \t]*|[Aa]ction:[ \t]*){0,3}([a-z]{2,}(?:_[a-z]+)*)(?![a-z'_-])/gm;

export function readAction(text: string): ServiceAction {
  for (const { 0: opening, 1: word = "", index } of text.matchAll(firstWord)) {
    const rest = text.slice(index + opening.length);
    if (word === "say" && /^[ \t]*[:\s("]/.test(rest)) return saying(rest.replace(/^[ \t]*:/, ""));
    const parameters = parametersOf.get(word);
    if (parameters) return { kind: "command", name: word, args: argumentsIn(lineOf(rest), parameters) };
    if (word.includes("_")) return { kind: "invalid", received: word };
  }
  return saying(text);
}

function saying(text: string): ServiceAction {
  const message = text.trim().replace(/^"([^"]*)"$/, "$1");
  return message === "" ? { kind: "invalid", received: "nothing" } : { kind: "say", message };
}

function lineOf(text: string): string {
  const end = text.indexOf("\n");
  return (end < 0 ? text : text.slice(0, end)).slice(0, 1_000);
}

/** Returns the arguments of a command, also if they are written as in `look_up("A310")` or `order=A310`. */
function argumentsIn(line: string, parameters: readonly string[]): string[] {
  let rest = line
    .trim()
    .replace(/^[:(]\s*/, "")
    .replace(/[)`\s]+$/, "");
  const args: string[] = [];
  for (const name of parameters) {
    const isLong = longParameters.includes(name);
    const [part = ""] = (isLong ? /^.*$/ : /^[^\s,;]+/).exec(rest) ?? [];
    rest = rest.slice(part.length).replace(/^[\s,;]+/, "");
    const value = part.replace(new RegExp(`^${name}\\s?[=:]\\s?`), "").replace(/^["'[<]+|["'\]>]+$/g, "");
    args.push(isLong ? value.replace(/^to /, "").trim() : plainArgument(value));
  }
  return args;
}

/** Returns an id in the case in which the records have it, and a sum without its sign. */
function plainArgument(value: string): string {
  if (/^[a-z]\d+$/i.test(value)) return value.toUpperCase();
  return value.toLowerCase().replace(/^\$(\d+)(\.00)?$/, "$1");
}
