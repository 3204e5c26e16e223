/**
 * Prefixes that several sequences share, as a tree. The engine computes the tokens of a node once, for all sequences
 * below it. Only tokens with mask 0 are shared, so each token with mask 1 has its own inputs of the loss.
 */
import type { Trajectory } from "../rollout/trajectory.js";

/** A sequence that can be packed. */
export type Packable = Pick<Trajectory, "tokens" | "mask">;

/** A sequence, of which the tokens from `from` on are its own. Earlier tokens belong to the nodes above. */
export interface Leaf<T> {
  readonly from: number;
  readonly row: T;
}

/** Tokens `from` to `to` of all sequences below it, which begin with equal tokens up to `to`. */
export interface Branch<T> {
  readonly from: number;
  readonly to: number;
  readonly children: readonly Node<T>[];
}

export type Node<T> = Leaf<T> | Branch<T>;

/** Fewest tokens of a branch. A shorter one saves less than a further segment costs. */
const fewestTokens = 16;

/** Finds the prefixes that sequences share, whether or not they are of one group. Returns the roots of the trees. */
export function sharedPrefixes<T extends Packable>(rows: readonly T[]): Node<T>[] {
  return childrenOf(
    rows.map((row) => ({ row, limit: shareable(row) })),
    0,
    0,
  );
}

/** Number of tokens of a node and of all nodes below it. */
export function tokensOf<T extends Packable>(node: Node<T>): number {
  if ("row" in node) return node.row.tokens.length - node.from;
  return node.children.reduce((sum, child) => sum + tokensOf(child), node.to - node.from);
}

export function rowsOf<T>(node: Node<T>): T[] {
  return "row" in node ? [node.row] : node.children.flatMap(rowsOf);
}

/** A sequence, with the number of its first tokens that may be shared. */
interface Candidate<T> {
  readonly row: T;
  readonly limit: number;
}

/**
 * Number of tokens at the start of a sequence that may be shared: those before the first token with mask 1, without the
 * token before it, from whose row the first one is predicted.
 */
function shareable({ tokens, mask }: Packable): number {
  const first = mask.indexOf(1);
  return Math.max(0, (first < 0 ? tokens.length : first) - 1);
}

/**
 * @param from number of tokens that the nodes above have
 * @param equal number of tokens, at least `from`, up to which the sequences are equal and may be shared
 */
function childrenOf<T extends Packable>(rows: readonly Candidate<T>[], from: number, equal: number): Node<T>[] {
  const byToken = new Map<number, Candidate<T>[]>();
  for (const each of rows) {
    // A sequence that may not share its next token has a key of its own, below the ids of tokens.
    const key = each.limit > equal ? (each.row.tokens[equal] as number) : -1 - byToken.size;
    const others = byToken.get(key);
    if (others) others.push(each);
    else byToken.set(key, [each]);
  }
  return [...byToken.values()].flatMap((alike): Node<T>[] => {
    const [first] = alike as [Candidate<T>];
    if (alike.length === 1) return [{ from, row: first.row }];
    const to = commonLength(alike, equal + 1);
    if (to - from < fewestTokens) return childrenOf(alike, from, to);
    return [{ from, to, children: childrenOf(alike, to, to) }];
  });
}

/** Number of tokens up to which all sequences are equal and may be shared. They are equal up to `length`. */
function commonLength<T extends Packable>(rows: readonly Candidate<T>[], length: number): number {
  const limit = Math.min(...rows.map((each) => each.limit));
  const [first, ...others] = rows as [Candidate<T>, ...Candidate<T>[]];
  let to = length;
  while (to < limit && others.every(({ row }) => row.tokens[to] === first.row.tokens[to])) to++;
  return to;
}
