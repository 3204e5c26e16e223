/** Manners of `palestra` at a terminal: help, colours, and errors as JSON. */
import { type Argument, type Command, CommanderError, InvalidArgumentError, type Option } from "commander";
import { didYouMean } from "../../formats/did-you-mean.js";

const codes = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;
export type Style = keyof typeof codes;

/** Returns whether a stream shows colours: a terminal does, unless NO_COLOR or FORCE_COLOR decides otherwise. */
export function hasColors(stream: NodeJS.WriteStream): boolean {
  const { NO_COLOR: no, FORCE_COLOR: force } = process.env;
  if (no || force === "0" || force === "false") return false;
  return force !== undefined || (stream.isTTY === true && stream.hasColors());
}

/** Returns text in a style if the stream shows colours. */
export function styled(style: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return hasColors(stream) ? paint(style, text) : text;
}

function paint(style: Style, text: string): string {
  const [start, end] = codes[style];
  return `\u001b[${start}m${text}\u001b[${end}m`;
}

/** Lets `--no-color` hold for this process and its children. Call it before any output. */
export function obeyNoColor(args: readonly string[] = process.argv): void {
  const end = args.indexOf("--");
  if (!args.slice(0, end === -1 ? undefined : end).includes("--no-color")) return;
  process.env.NO_COLOR = "1";
  delete process.env.FORCE_COLOR;
}

/** Parser of an option that states the range of its values in the help. */
export type RangedParser<T> = ((text: string) => T) & { readonly range?: string };

const examplesOfCommands = new WeakMap<Command, Readonly<Record<string, string>>>();

/** Returns the examples of a command, from the command line to its effect. */
export function examplesOf(command: Command): Readonly<Record<string, string>> {
  return examplesOfCommands.get(command) ?? {};
}

/**
 * Ends the help of a command with examples and the page to read.
 *
 * @param page path of a page in the repository, with the anchor of a heading
 * @param examples effect of each command line
 * @param notes further lines before the page
 */
export function guide(
  command: Command,
  page: string,
  examples: Readonly<Record<string, string>>,
  notes?: string,
): Command {
  examplesOfCommands.set(command, examples);
  return command.addHelpText("after", () => {
    const lines = Object.entries(examples).flatMap(([line, effect]) => [paint("dim", `  # ${effect}`), `  ${line}`]);
    const common = "`palestra --help` lists the options of every command, and the exit codes.";
    return [
      ...["", paint("bold", "Examples:"), ...lines],
      ...(notes === undefined ? [] : ["", notes]),
      ...["", `${paint("bold", "Page:")} ${page}`],
      ...(command.parent ? [common] : []),
    ].join("\n");
  });
}

/** Sets the form of the help for a program, before its commands are added. */
export function shapeHelp(program: Command): void {
  program.configureHelp({
    styleTitle: (text) => paint("bold", text),
    styleCommandText: (text) => paint("cyan", text),
    styleSubcommandText: (text) => paint("cyan", text),
    styleOptionText: (text) => paint("cyan", text),
    styleArgumentText: (text) => paint("cyan", text),
    optionDescription,
    // Commander would list the aliases and arguments of subcommands, which their own help has.
    subcommandTerm: (command) => command.name(),
  });
  program.configureOutput({
    getOutHasColors: () => hasColors(process.stdout),
    getErrHasColors: () => hasColors(process.stderr),
  });
}

/** Returns the description of an option, with its range, choices and default in one parenthesis. */
function optionDescription(option: Option): string {
  const [, text = option.description, stated] =
    /^(.*) \(((?:default|choices)[^()]*)\)$/s.exec(option.description) ?? [];
  const { range } = (option.parseArg ?? {}) as Partial<RangedParser<unknown>>;
  const choices = option.argChoices && !stated?.startsWith("choices") && `choices: ${option.argChoices.join(", ")}`;
  const facts = [range, choices, stated, defaultOf(option)].filter(Boolean);
  return facts.length > 0 ? `${text} (${facts.join("; ")})` : text;
}

function defaultOf({ defaultValue, mandatory }: Option): string | undefined {
  if (mandatory && defaultValue === undefined) return "required";
  const isPlain = typeof defaultValue === "string" || Number.isFinite(defaultValue);
  return isPlain ? `default: ${defaultValue}` : undefined;
}

/** A command as data, from which shell completion is made. */
export interface DescribedCommand {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly DescribedArgument[];
  readonly options: readonly DescribedOption[];
  readonly commands: readonly DescribedCommand[];
}

export interface DescribedArgument {
  readonly name: string;
  readonly choices?: readonly string[];
}

export interface DescribedOption {
  /** Names such as `-h` and `--help`. */
  readonly names: readonly string[];
  readonly description: string;
  /** Name of the value, such as `file`. Undefined for an option without a value. */
  readonly value?: string;
  readonly choices?: readonly string[];
}

/** Describes the visible commands, arguments and options of a command. */
export function describeCommand(command: Command): DescribedCommand {
  const help = command.createHelp();
  return {
    name: command.name(),
    description: command.description(),
    arguments: command.registeredArguments.map(describeArgument),
    options: help.visibleOptions(command).map(describeOption),
    commands: help.visibleCommands(command).map(describeCommand),
  };
}

function describeArgument(argument: Argument): DescribedArgument {
  const { argChoices } = argument;
  return { name: argument.name(), ...(argChoices && { choices: argChoices }) };
}

function describeOption({ short, long, flags, description, argChoices }: Option): DescribedOption {
  const [, value] = /[<[]([^>\]]+)[>\]]$/.exec(flags) ?? [];
  const names = [short, long].filter((name) => name !== undefined);
  return { names, description, ...(value && { value }), ...(argChoices && { choices: argChoices }) };
}

/** Returns whether the command line asks for JSON. It may be asked before the command line was parsed. */
export function wantsJson(args: readonly string[] = process.argv): boolean {
  return args.includes("--json");
}

/**
 * Prints an error: a line on standard error, and with --json an object on standard output.
 *
 * @param line text of the line, if it is not the message
 */
export function complain(code: string, message: string, line = message): void {
  console.error(`${styled("red", "palestra:", process.stderr)} ${line}`);
  if (wantsJson()) console.log(JSON.stringify({ error: { code, message } }));
}

/** Returns commander's text of an error in one line. */
export function usageText(text: string, args: readonly string[] = process.argv): string {
  const inOneLine = text
    .replace(/^error: /, "")
    .trim()
    .replace(/\s*\n\s*/g, " ");
  return `${inOneLine}${misspelt(inOneLine, args)} (--help lists the options)`;
}

/** Commander misses a required option before it refuses an unknown one, which may be the misspelt required option. */
function misspelt(text: string, args: readonly string[]): string {
  const [, required] = /^required option '(?:-\w, )?--([\w-]+)/.exec(text) ?? [];
  if (required === undefined) return "";
  const names = args.flatMap((arg) => /^--([\w-]+)/.exec(arg)?.[1] ?? []);
  const found = names.find((name) => didYouMean(name, [required]) !== "");
  return found === undefined ? "" : `, but received --${found} (Did you mean --${required}?)`;
}

/** Returns the exit code of an error that commander has printed, or undefined for other errors. */
export function printedByCommander(error: unknown): number | undefined {
  if (!(error instanceof CommanderError) || error instanceof InvalidArgumentError) return undefined;
  return error.exitCode === 0 ? 0 : 2;
}

let outlivesOutput = false;

/** Lets this process go on without a standard output, as a server does whose log has no reader any more. */
export function outliveOutput(): void {
  outlivesOutput = true;
}

/** Exit code after the reader of standard output is gone, as if SIGPIPE had ended the process. */
const brokenPipe = 141;

/**
 * Ends the process if standard output fails, without a stack. Nothing is said if its reader is gone, as in `| head -1`.
 */
export function endWithOutput(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (outlivesOutput) return;
    if (error.code === "EPIPE") process.exit(brokenPipe);
    console.error(`palestra: expected to write to standard output, but received ${error.message}`);
    process.exit(1);
  });
  process.stderr.on("error", () => {});
}
