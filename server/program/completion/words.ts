/** The words that a shell offers for each command, as data for the scripts of the shells. */
import type { DescribedCommand, DescribedOption } from "../terminal/command-line.js";

/** Where the values of an option or argument come from. */
export type Source = "files" | "environments" | "splits" | "tasks" | "commands" | readonly string[];

export interface CompletedOption {
  readonly names: readonly string[];
  readonly description: string;
  /** Undefined for an option without a value. */
  readonly values?: Source;
}

export interface CompletedCommand {
  /** Names from the program to the command, such as `token create`. Empty for the program. */
  readonly path: string;
  readonly options: readonly CompletedOption[];
  /** Commands below this command, with their descriptions. */
  readonly commands: readonly (readonly [name: string, description: string])[];
  /** Values of the arguments. */
  readonly values: Source;
}

export interface Words {
  readonly commands: readonly CompletedCommand[];
  /** Splits of each environment. */
  readonly splits: Readonly<Record<string, readonly string[]>>;
}

/** Splits of an environment above this number are left out, since nobody could read their list. */
const mostSplits = 100;

/** Lists the words of a program. @param splits splits of each environment */
export function wordsOf(program: DescribedCommand, splits: Readonly<Record<string, readonly string[]>>): Words {
  const short = Object.entries(splits).map(([name, all]) => [name, all.slice(0, mostSplits)] as const);
  return { commands: flattened(program, "", program.options), splits: Object.fromEntries(short) };
}

function flattened(
  command: DescribedCommand,
  path: string,
  everywhere: readonly DescribedOption[],
): readonly CompletedCommand[] {
  const own = new Set(command.options.flatMap(({ names }) => names));
  const inherited = path === "" ? [] : everywhere.filter(({ names }) => names.every((name) => !own.has(name)));
  const inner = command.commands.flatMap((each) => flattened(each, `${path} ${each.name}`.trim(), everywhere));
  const [argument] = command.arguments;
  const completed = {
    path,
    options: [...command.options, ...inherited].map(completedOption),
    commands: command.commands.map(({ name, description }) => [name, description] as const),
    values: argument?.choices ?? sourceOf(argument?.name ?? ""),
  };
  return [completed, ...inner];
}

function completedOption({ names, description, value, choices }: DescribedOption): CompletedOption {
  if (value === undefined) return { names, description };
  return { names, description, values: choices ?? sourceOf(value, names.at(-1)) };
}

const filesOf = /^(file|path|dir|folder|directory|corpus|records|from)$/;

/** @param value name of the value, such as `file` */
function sourceOf(value: string, option?: string): Source {
  if (filesOf.test(value)) return "files";
  if (value === "env" || option === "--env" || option === "--environment") return "environments";
  if (value === "true|false") return ["true", "false"];
  if (option === "--split") return "splits";
  if (value === "split:index") return "tasks";
  return value === "command" ? "commands" : [];
}
