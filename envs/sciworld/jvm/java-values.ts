/**
 * py4j's text protocol, which the original's Python API speaks with its simulator: what a call and its reply look like.
 * A call is a line for each of its parts and an `e` at the end; its reply is one line. All of it is UTF-8.
 */

/** An object that lives in the JVM until it is released. */
export interface JavaObject {
  readonly id: string;
}

/** Undefined is what a method gives that gives nothing. */
export type JavaValue = undefined | null | boolean | number | bigint | string | JavaObject;

/** A whole number of 32 bits is an int, a bigint a long, any other number a double. */
export type Argument = null | boolean | number | bigint | string | JavaObject;

/** What a method is called on: an object, the static methods of a class, or what the gateway itself offers. */
export type Target = JavaObject | { readonly className: string };

/** A reply that the protocol does not know: what answers is no py4j, or another version of it. */
export class UnreadableReply extends Error {
  override readonly name = "UnreadableReply";

  constructor(received: string) {
    super(`expected a reply of py4j, but received ${JSON.stringify(received.slice(0, 200))}`);
  }
}

export function methodCall(target: Target, method: string, args: readonly Argument[]): string {
  return command("c", "id" in target ? target.id : `z:${target.className}`, method, ...args.map(encode));
}

export function constructorCall(className: string, args: readonly Argument[]): string {
  return command("i", className, ...args.map(encode));
}

/** Lets the JVM forget an object. */
export function releaseCall({ id }: JavaObject): string {
  return command("m", "d", id);
}

/** Asks for the text of what was thrown, with its stack. */
export function stackCall(thrown: JavaObject): string {
  return command("p", encode(thrown));
}

/** What a reply says: the value of a call, or what it threw. */
export type Reply = { value: JavaValue } | { thrown: JavaValue };

/** @param line without its line feed @throws {UnreadableReply} */
export function readReply(line: string): Reply {
  const value = decode(line.slice(2), line);
  if (line.startsWith("!y")) return { value };
  if (line.startsWith("!x")) return { thrown: value };
  throw new UnreadableReply(line);
}

function command(...parts: string[]): string {
  return `${parts.join("\n")}\ne\n`;
}

function encode(argument: Argument): string {
  if (argument === null) return "n";
  if (typeof argument === "boolean") return `b${argument}`;
  if (typeof argument === "string") return `s${escaped(argument)}`;
  if (typeof argument === "bigint") return `L${argument}`;
  if (typeof argument === "object") return `r${argument.id}`;
  return argument === (argument | 0) ? `i${argument}` : `d${argument}`;
}

/** @param text a letter for the type, then the value */
function decode(text: string, line: string): JavaValue {
  const rest = text.slice(1);
  switch (text[0]) {
    case "s":
      return unescaped(rest);
    case "i":
    case "d":
      return Number(rest);
    case "L":
      return BigInt(rest);
    case "b":
      return rest === "true";
    case "n":
      return null;
    case undefined:
    case "v":
      return undefined;
    // A plain object, a list, a map, a set, an array, an iterator: all are known by their id.
    case "r":
    case "l":
    case "a":
    case "h":
    case "t":
    case "g":
      return { id: rest };
    default:
      throw new UnreadableReply(line);
  }
}

function escaped(text: string): string {
  return text.replace(/[\\\r\n]/g, (character) => escapes[character as keyof typeof escapes]);
}

const escapes = { "\\": "\\\\", "\r": "\\r", "\n": "\\n" } as const;

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (_, character: string) => unescapes[character] ?? character);
}

const unescapes: Readonly<Record<string, string>> = { n: "\n", r: "\r" };
