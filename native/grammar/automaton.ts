/**
 * A recursive automaton over bytes: states with edges by a byte, without a byte, and through a rule, which is an
 * automaton of its own. Such an automaton describes a context-free grammar, such as JSON of any depth.
 */
import { invalid } from "../addon/errors.js";

/** A language, which is added to an automaton between two states. */
export type Part = (from: number, to: number) => void;

/** A language with a state of its own at each end, which edges call. */
export interface Rule {
  readonly start: number;
  readonly end: number;
}

interface Edge {
  /** Lowest and highest byte; -1 for an edge without a byte. */
  readonly low: number;
  readonly high: number;
  readonly to: number;
  /** Rule that is passed through; undefined for none. */
  readonly callee: Rule | undefined;
}

/** Adds a part between two states of a graph a number of times. */
export function addRepeats(
  graph: { state(): number; join(from: number, to: number): void },
  part: Part,
  { least, most }: { readonly least: number; readonly most: number },
  { from, to }: { readonly from: number; readonly to: number },
): void {
  let at = from;
  const copies = Number.isFinite(most) ? most : least;
  for (let copy = 0; copy < copies; copy++) {
    if (copy >= least) graph.join(at, to);
    const next = graph.state();
    part(at, next);
    at = next;
  }
  if (Number.isFinite(most)) return graph.join(at, to);
  const loop = graph.state();
  graph.join(at, loop);
  part(loop, loop);
  graph.join(loop, to);
}

/** Limit on the states of a grammar, which bounds its memory. */
const mostStates = 100_000;

export class Automaton {
  readonly #edges: Edge[][] = [];
  readonly #rules: Rule[] = [];
  readonly #named = new Map<string, Rule>();

  state(): number {
    if (this.#edges.length >= mostStates) {
      throw invalid(`a grammar of at most ${mostStates} states`, "a larger one, of long patterns or high limits");
    }
    return this.#edges.push([]) - 1;
  }

  /** Returns the rule of a name. It is built the first time, and may refer to itself. */
  rule(name: string, build: () => Part): Rule {
    const known = this.#named.get(name);
    if (known) return known;
    const rule = { start: this.state(), end: this.state() };
    this.#named.set(name, rule);
    this.#rules.push(rule);
    build()(rule.start, rule.end);
    return rule;
  }

  /** One byte of a range. */
  bytes(low: number, high = low): Part {
    return (from, to) => this.#add(from, { low, high, to, callee: undefined });
  }

  /** The UTF-8 bytes of a text. */
  text(text: string): Part {
    return this.sequence(...[...Buffer.from(text)].map((byte) => this.bytes(byte)));
  }

  /** One of the texts. Texts share the states of their common beginnings. */
  oneOf(texts: readonly string[]): Part {
    return (from, to) => {
      const children = new Map<number, Map<number, number>>();
      for (const text of new Set(texts)) {
        let state = from;
        for (const byte of Buffer.from(text)) {
          const own = children.get(state) ?? new Map<number, number>();
          children.set(state, own);
          const next = own.get(byte) ?? this.state();
          if (!own.has(byte)) this.bytes(byte)(state, next);
          own.set(byte, next);
          state = next;
        }
        this.nothing(state, to);
      }
    };
  }

  call(callee: Rule): Part {
    return (from, to) => this.#add(from, { low: -1, high: -1, to, callee });
  }

  get nothing(): Part {
    return (from, to) => this.#add(from, { low: -1, high: -1, to, callee: undefined });
  }

  sequence(...parts: readonly Part[]): Part {
    const [last] = parts.slice(-1);
    if (!last) return this.nothing;
    return (from, to) => {
      let at = from;
      for (const part of parts.slice(0, -1)) {
        const next = this.state();
        part(at, next);
        at = next;
      }
      last(at, to);
    };
  }

  /** One of the parts. Without parts, nothing matches. */
  choice(...parts: readonly Part[]): Part {
    return (from, to) => {
      for (const part of parts) part(from, to);
    };
  }

  optional(part: Part): Part {
    return this.choice(this.nothing, part);
  }

  /** @param most may be Infinity */
  repeat(part: Part, least: number, most: number): Part {
    const graph = { state: () => this.state(), join: this.nothing };
    return (from, to) => addRepeats(graph, part, { least, most }, { from, to });
  }

  /**
   * Returns the automaton as the engine reads it: the numbers of states and edges, the start, the first edge of each
   * state, whether each state ends a rule, and four numbers for each edge. States that lead to no end are left out, so
   * that every text which the automaton reads can be completed.
   *
   * @throws {NativeError} NATIVE_INVALID_ARGUMENT: no text matches, or a rule refers to itself before the first byte
   */
  table(root: Rule): Int32Array {
    this.#expectBytesBeforeRecursion();
    this.#dropDeadEnds();
    if (this.#of(root.start).length === 0 && root.start !== root.end) {
      throw invalid("a schema that some finite value satisfies", "a schema without one");
    }
    const numbers = this.#reachable(root);
    const ends = new Set(this.#rules.map(({ end }) => end));
    const count = [...numbers.keys()].reduce((sum, state) => sum + this.#of(state).length, 0);
    const table = new Int32Array(3 + 2 * numbers.size + 1 + 4 * count);
    const number = (state: number) => numbers.get(state) as number;
    table.set([numbers.size, count, number(root.start)]);
    let edge = 0;
    for (const [state, index] of numbers) {
      table[3 + index] = edge;
      table[3 + numbers.size + 1 + index] = Number(ends.has(state));
      for (const { low, high, to, callee } of this.#of(state)) {
        const at = table.length - 4 * (count - edge);
        table[at] = low;
        table[at + 1] = high;
        table[at + 2] = number(to);
        table[at + 3] = callee ? number(callee.start) : -1;
        edge += 1;
      }
    }
    table[3 + numbers.size] = edge;
    return table;
  }

  #add(from: number, edge: Edge): void {
    this.#of(from).push(edge);
  }

  #of(state: number): Edge[] {
    return this.#edges[state] as Edge[];
  }

  /** Removes the edges from which no text leads to the end of their rule. */
  #dropDeadEnds(): void {
    const leads = this.#leadingToEnds();
    for (const [state, edges] of this.#edges.entries()) {
      this.#edges[state] = edges.filter(({ to, callee }) => leads[to] && (!callee || leads[callee.start]));
    }
  }

  /** Returns, for each state, whether some text leads from it to the end of its rule. */
  #leadingToEnds(): Uint8Array {
    const leads = new Uint8Array(this.#edges.length);
    const before: number[][] = this.#edges.map(() => []);
    for (const [state, edges] of this.#edges.entries()) {
      for (const { to, callee } of edges) {
        before[to]?.push(state);
        if (callee) before[callee.start]?.push(state);
      }
    }
    const found = this.#rules.map(({ end }) => end);
    for (const end of found) leads[end] = 1;
    const isLeading = ({ to, callee }: Edge) => leads[to] === 1 && (!callee || leads[callee.start] === 1);
    for (let state = found.pop(); state !== undefined; state = found.pop()) {
      for (const earlier of before[state] as number[]) {
        if (leads[earlier] || !this.#of(earlier).some(isLeading)) continue;
        leads[earlier] = 1;
        found.push(earlier);
      }
    }
    return leads;
  }

  /** Numbers the states that the root reaches, in the order in which they are found. */
  #reachable(root: Rule): Map<number, number> {
    const numbers = new Map([[root.start, 0]]);
    for (const state of numbers.keys()) {
      for (const { to, callee } of this.#of(state)) {
        if (callee && !numbers.has(callee.start)) numbers.set(callee.start, numbers.size);
        if (!numbers.has(to)) numbers.set(to, numbers.size);
      }
    }
    return numbers;
  }

  #expectBytesBeforeRecursion(): void {
    const empty = this.#emptyRules();
    const done = new Set<number>();
    const open = new Set<number>();
    // Depth first, over the rules that a rule can call before its first byte.
    const visit = (rule: Rule): void => {
      if (open.has(rule.start)) {
        throw invalid("a schema whose references lead to a value", "a schema that refers only to itself");
      }
      if (done.has(rule.start)) return;
      open.add(rule.start);
      for (const state of this.#withoutBytes(rule.start, empty)) {
        for (const { callee } of this.#of(state)) if (callee) visit(callee);
      }
      open.delete(rule.start);
      done.add(rule.start);
    };
    for (const rule of this.#rules) visit(rule);
  }

  /** Returns the starts of the rules that match the empty text. */
  #emptyRules(): Set<number> {
    const empty = new Set<number>();
    for (let before = -1; before !== empty.size; ) {
      before = empty.size;
      for (const { start, end } of this.#rules) if (this.#withoutBytes(start, empty).has(end)) empty.add(start);
    }
    return empty;
  }

  /** Returns the states that are reached from a state without a byte. */
  #withoutBytes(start: number, empty: ReadonlySet<number>): Set<number> {
    const reached = new Set([start]);
    for (const state of reached) {
      for (const { low, to, callee } of this.#of(state)) {
        if (low < 0 && (!callee || empty.has(callee.start))) reached.add(to);
      }
    }
    return reached;
  }
}
