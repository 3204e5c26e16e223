/**
 * Regular expressions that match in linear time. The matched texts come from an agent, and could stall a backtracking
 * matcher. Thompson's algorithm (1968) follows all states in parallel.
 */
import { type Edge, isWord, type Node, type PatternFlags, parsePattern, UnsupportedPattern } from "./parser.js";

export { type PatternFlags, UnsupportedPattern } from "./parser.js";

type Instruction =
  | { kind: "character"; isOne: (codePoint: number) => boolean }
  | { kind: "fork"; to: readonly number[] }
  | { kind: "edge"; edge: Edge }
  | { kind: "look"; program: Program; isWanted: boolean }
  | { kind: "accept" };

type Program = Instruction[];

/**
 * Maximum length of a pattern in characters. The length also limits the depth of nested brackets, which the parser
 * reads recursively.
 */
const longestPattern = 1000;
/**
 * Maximum number of states of a pattern. A repeat such as `{1000}` copies the states of the repeated part 1,000 times.
 */
const mostInstructions = 2000;
/**
 * Maximum number of states that one match may visit, which takes about 0.5 seconds. Only patterns with a lookahead at
 * every position come close to it.
 */
const mostSteps = 20_000_000;

/** Result of `follow` if the program accepts the text. */
const accepted = -1;

/** Error if a match would take too long. */
export class PatternTooSlow extends Error {
  constructor(pattern: string, length: number) {
    super(`the match of a text of ${length} characters takes more than ${mostSteps} steps with the pattern ${pattern}`);
  }
}

/** Whether a text is a pattern. Patterns in task files begin with `^` and end with `$`. */
export function isPatternText(text: string): boolean {
  return text.length >= 2 && text.startsWith("^") && text.endsWith("$");
}

export class Pattern {
  private readonly program: Program;

  /** @throws {UnsupportedPattern} the pattern is invalid or unsupported */
  constructor(
    readonly text: string,
    flags: PatternFlags = {},
  ) {
    if (text.length > longestPattern)
      throw new UnsupportedPattern(`a pattern of at most ${longestPattern} characters`, `${text.slice(0, 50)}...`);
    this.program = compile(parsePattern(text, flags), text);
  }

  toString(): string {
    return this.text;
  }

  /**
   * Returns whether the pattern matches a prefix of the text, like Python's `match`.
   *
   * @throws {PatternTooSlow} the match would take too long
   */
  matchesStart(text: string): boolean {
    return new Run(text, this.text).find(this.program, 0, "start");
  }

  /**
   * Returns whether the pattern matches the whole text, like Python's `fullmatch`.
   *
   * @throws {PatternTooSlow} the match would take too long
   */
  matchesWhole(text: string): boolean {
    return new Run(text, this.text).find(this.program, 0, "whole");
  }

  /**
   * Returns whether the pattern matches some part of the text, like Python's `search`.
   *
   * @throws {PatternTooSlow} the match would take too long
   */
  matchesAnywhere(text: string): boolean {
    return new Run(text, this.text).find(this.program, 0, "anywhere");
  }
}

function compile(node: Node, text: string): Program {
  const program: Program = [];
  const emit = (instruction: Instruction) => {
    if (program.length >= mostInstructions) throw new UnsupportedPattern(`at most ${mostInstructions} states`, text);
    return program.push(instruction) - 1;
  };
  const add = (part: Node): void => {
    switch (part.kind) {
      case "sequence":
        for (const item of part.items) add(item);
        break;
      case "choice":
        addChoice(part.options, program, emit, add);
        break;
      case "repeat":
        if (part.least > mostInstructions) throw new UnsupportedPattern(`at most ${mostInstructions} repeats`, text);
        addRepeat(part, program, emit, add);
        break;
      case "look":
        emit({ kind: "look", program: compile(part.item, text), isWanted: part.isWanted });
        break;
      default:
        emit(part);
    }
  };
  add(node);
  emit({ kind: "accept" });
  return program;
}

type Emit = (instruction: Instruction) => number;

function addChoice(options: readonly Node[], program: Program, emit: Emit, add: (node: Node) => void): void {
  const fork = emit({ kind: "fork", to: [] });
  const starts: number[] = [];
  const ends: number[] = [];
  for (const option of options) {
    starts.push(program.length);
    add(option);
    ends.push(emit({ kind: "fork", to: [] }));
  }
  program[fork] = { kind: "fork", to: starts };
  for (const end of ends) program[end] = { kind: "fork", to: [program.length] };
}

function addRepeat(
  { item, least, most }: { item: Node; least: number; most: number },
  program: Program,
  emit: Emit,
  add: (node: Node) => void,
): void {
  for (let count = 0; count < least; count++) add(item);
  if (most === Infinity) {
    const fork = emit({ kind: "fork", to: [] });
    add(item);
    emit({ kind: "fork", to: [fork] });
    program[fork] = { kind: "fork", to: [fork + 1, program.length] };
    return;
  }
  const forks: number[] = [];
  for (let count = least; count < most; count++) {
    forks.push(emit({ kind: "fork", to: [] }));
    add(item);
  }
  for (const fork of forks) program[fork] = { kind: "fork", to: [fork + 1, program.length] };
}

type Reach = "start" | "whole" | "anywhere";

/** Buffers of one program for the states that a match can be in. */
interface Scratch {
  /** For each state, the number of the last visit that reached it. */
  met: Int32Array;
  /** States that wait for the next character. */
  waiting: Int32Array;
}

/** One match of a pattern against a text. */
class Run {
  private steps = 0;
  private visits = 0;
  private readonly scratches = new Map<Program, Scratch>();

  constructor(
    private readonly text: string,
    private readonly pattern: string,
  ) {}

  /**
   * Whether the program accepts the text after a position. `reach` selects the whole rest, a prefix of the rest, or any
   * part of it.
   */
  find(program: Program, from: number, reach: Reach): boolean {
    const { text } = this;
    const scratch = this.scratchOf(program);
    const states = [0];
    for (let at = from; ; ) {
      const count = this.follow(program, states, at, reach === "whole", scratch);
      if (count === accepted) return true;
      if (at >= text.length || (count === 0 && reach !== "anywhere")) return false;
      const codePoint = text.codePointAt(at) as number;
      at += codePoint > 0xffff ? 2 : 1;
      for (let index = 0; index < count; index++) {
        const state = scratch.waiting[index] as number;
        if ((program[state] as { isOne: (one: number) => boolean }).isOne(codePoint)) states.push(state + 1);
      }
      if (reach === "anywhere") states.push(0);
    }
  }

  /**
   * Follows all transitions that do not consume a character.
   *
   * @param states states from which the transitions start; this method empties the list
   * @returns the number of states that wait for a character, or `accepted`
   */
  private follow(program: Program, states: number[], at: number, isWhole: boolean, scratch: Scratch): number {
    const { met, waiting } = scratch;
    const visit = ++this.visits;
    let count = 0;
    let isAccepted = false;
    for (let state = states.pop(); state !== undefined; state = states.pop()) {
      if (met[state] === visit) continue;
      met[state] = visit;
      this.steps += 1;
      if (this.steps > mostSteps) throw new PatternTooSlow(this.pattern, this.text.length);
      const instruction = program[state] as Instruction;
      if (instruction.kind === "character") waiting[count++] = state;
      else if (instruction.kind === "fork") for (const next of instruction.to) states.push(next);
      else if (instruction.kind === "accept") isAccepted ||= !isWhole || at === this.text.length;
      else if (this.holds(instruction, at)) states.push(state + 1);
    }
    return isAccepted ? accepted : count;
  }

  private scratchOf(program: Program): Scratch {
    const { length } = program;
    const scratch = this.scratches.get(program) ?? { met: new Int32Array(length), waiting: new Int32Array(length) };
    this.scratches.set(program, scratch);
    return scratch;
  }

  private holds(instruction: Instruction & { kind: "edge" | "look" }, at: number): boolean {
    if (instruction.kind === "look") return this.find(instruction.program, at, "start") === instruction.isWanted;
    const { length } = this.text;
    switch (instruction.edge) {
      case "start":
        return at === 0;
      case "end":
        return at === length;
      case "end-or-newline":
        return at === length || (at === length - 1 && this.text[at] === "\n");
      default: {
        const isEdge = isWord(this.text.codePointAt(at)) !== (at > 0 && isWord(this.text.codePointAt(at - 1)));
        return isEdge === (instruction.edge === "word-edge");
      }
    }
  }
}
