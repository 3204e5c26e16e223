/**
 * Reads Dockerfiles that need no build. They contain only `FROM palestra-base:1`, `WORKDIR`, `ENV`, and `COPY` of named
 * files. All other Dockerfiles need Docker.
 */
import { posix } from "node:path";

/** Name of the base image, whose programs all providers of machines offer. */
export const baseImage = "palestra-base:1";

export interface Copy {
  /** Paths relative to the build context. */
  sources: readonly string[];
  /** Absolute path in the machine. A path with `/` at the end is a folder. */
  destination: string;
}

export interface PlainDockerfile {
  workdir: string;
  environment: Record<string, string>;
  copies: readonly Copy[];
}

/** The Dockerfile needs a build, for the reason in `needsBuild`. */
export interface NeedsBuild {
  needsBuild: string;
}

interface Instruction {
  line: number;
  name: string;
  rest: string;
}

/** Error if a Dockerfile needs a build. Only this file throws and catches it. */
class NotPlain extends Error {}

export function readDockerfile(text: string): PlainDockerfile | NeedsBuild {
  try {
    return plainOf(instructionsOf(text));
  } catch (error) {
    if (!(error instanceof NotPlain)) throw error;
    return { needsBuild: error.message };
  }
}

function plainOf(instructions: readonly Instruction[]): PlainDockerfile {
  const [first, ...others] = instructions;
  if (first?.name !== "FROM") throw new NotPlain("the first instruction is not FROM");
  if (first.rest !== baseImage) throw new NotPlain(`line ${first.line} has FROM ${first.rest}`);
  let workdir = "/";
  const environment: Record<string, string> = {};
  const copies: Copy[] = [];
  for (const instruction of others) {
    const { name } = instruction;
    if (name === "WORKDIR") workdir = posix.resolve(workdir, onlyWord(instruction));
    else if (name === "ENV") Object.assign(environment, variablesOf(instruction));
    else if (name === "COPY") copies.push(copyOf(instruction, workdir));
    else throw new NotPlain(`line ${instruction.line} has ${name}`);
  }
  return { workdir, environment, copies };
}

function instructionsOf(text: string): Instruction[] {
  if (/^\s*#\s*(escape|syntax|check)\s*=/im.test(text.split("\n", 3).join("\n")))
    throw new NotPlain("a parser directive");
  const instructions: Instruction[] = [];
  let open: Instruction | undefined;
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    const isContinued = /\\\s*$/.test(line);
    const part = line.replace(/\\\s*$/, "").trim();
    if (open) open.rest = `${open.rest} ${part}`.trim();
    else {
      const [, name = "", rest = ""] = /^(\S+)\s*(.*)$/.exec(part) ?? [];
      open = { line: at + 1, name: name.toUpperCase(), rest };
      instructions.push(open);
    }
    if (!isContinued) open = undefined;
  }
  return instructions;
}

function onlyWord(instruction: Instruction): string {
  const [word, ...more] = wordsOf(instruction);
  if (word === undefined || more.length > 0) throw new NotPlain(`line ${instruction.line} has ${instruction.rest}`);
  return word;
}

/** Splits the arguments of an instruction into words. Quotes, variables and wildcards are not supported. */
function wordsOf({ line, name, rest }: Instruction): string[] {
  const words = rest.split(/\s+/).filter((word) => word !== "");
  const odd = words.find((word) => /["'$*?[\]\\<>]|^--/.test(word));
  if (odd !== undefined) throw new NotPlain(`line ${line} has ${name} with ${odd}`);
  return words;
}

function copyOf(instruction: Instruction, workdir: string): Copy {
  const words = wordsOf(instruction);
  const destination = words.pop();
  if (destination === undefined || words.length === 0)
    throw new NotPlain(`line ${instruction.line} has COPY with fewer than two paths`);
  const sources = words.map((word) => posix.normalize(word.replace(/^\/+/, "")));
  const outside = sources.find((source) => source === ".." || source.startsWith("../"));
  if (outside !== undefined) throw new NotPlain(`line ${instruction.line} copies ${outside}`);
  const path = posix.resolve(workdir, destination);
  const isFolder = /(^|\/)\.?$/.test(destination) || words.length > 1 || path === workdir;
  return { sources, destination: isFolder ? `${path.replace(/\/$/, "")}/` : path };
}

function variablesOf({ line, rest }: Instruction): Record<string, string> {
  const variables: Record<string, string> = {};
  const pair = /([A-Za-z_]\w*)=(?:"([^"\\$]*)"|'([^'$]*)'|([^\s"'\\$]*))(?:\s+|$)/y;
  while (pair.lastIndex < rest.length) {
    const match = pair.exec(rest);
    if (!match) throw new NotPlain(`line ${line} has ENV ${rest}`);
    variables[match[1] as string] = match[2] ?? match[3] ?? match[4] ?? "";
  }
  return variables;
}
