/**
 * Encodes calls and decodes replies of py4j's text protocol, with which ScienceWorld's Python API calls the simulator.
 * A call has one line for each part and ends with the line `e`. A reply is one line. All text is UTF-8.
 */

/** Reference to an object in the JVM, which exists until it is released. */
export interface JavaObject {
  readonly id: string;
}

/** A value from Java. Undefined stands for void. */
export type JavaValue = undefined | null | boolean | number | bigint | string | JavaObject;

/** Argument of a call. 32-bit integers become int, bigints become long, and other numbers become double. */
export type Argument = null | boolean | number | bigint | string | JavaObject;

/** The target of a call: an object, or a class for static methods. */
export type Target = JavaObject | { readonly className: string };

/** Thrown for a reply that is not in py4j's protocol: the peer is not py4j, or an unsupported version. */
export class UnreadableReply extends Error {
  override readonly name = "UnreadableReply";

  constructor(received: string) {
    super(`expected a reply in py4j's protocol, but received ${JSON.stringify(received.slice(0, 200))}`);
  }
}

export function methodCall(target: Target, method: string, args: readonly Argument[]): string {
  return command("c", "id" in target ? target.id : `z:${target.className}`, method, ...args.map(encode));
}

export function constructorCall(className: string, args: readonly Argument[]): string {
  return command("i", className, ...args.map(encode));
}

/** Returns the call that releases an object in the JVM. */
export function releaseCall({ id }: JavaObject): string {
  return command("m", "d", id);
}

/** Returns the call that requests the stack trace of an exception as text. */
export function stackCall(thrown: JavaObject): string {
  return command("p", encode(thrown));
}

/** A parsed reply: the value that a call returned, or the exception that it threw. */
export type Reply = { value: JavaValue } | { thrown: JavaValue };

/** Parses a reply. @param line the reply without its line feed @throws {UnreadableReply} */
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

/** Decodes a value. @param text a letter for the type, followed by the value */
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
    // The value is an object, list, map, set, array or iterator. All of these have an id.
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
