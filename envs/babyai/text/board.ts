/**
 * Where a walk may go, and the walks themselves, with the agent at the origin. A walk keeps to what AgentGym's search
 * keeps to: the view, by an error in its ranges one row behind the agent or one column to the right of the view as well;
 * any square without a wall, key, ball or box that is in sight. Unseen squares and doors in every state are free.
 *
 * The search that AgentGym makes for each thing takes the moves out of a state in the order forward, left, right. It
 * lets a state into its queue as often as it is found, and a later find replaces the state's predecessor until the state
 * is first taken out. No move joins two states at the same distance, since each changes the parity of x + y + direction.
 * So the first copies in the queue are in the order of a plain breadth-first search, which tells where the search ends,
 * and the last ones, read backwards, in that of a plain search with the moves reversed, whose tree has the predecessors.
 */
import { Move } from "../engine/codes.js";

/** Squares to a side: 8 rows and columns within a border that is always blocked. */
const side = 10;
const squares = side * side;
const states = squares * 4;

/** Rows run from -1 to 6 ahead, columns from -3 to 4 to the right. */
export function squareAt(ahead: number, right: number): number {
  return (ahead + 2) * side + right + 4;
}

const agentSquare = squareAt(0, 0);
/** One square on, by direction: 0 is the agent's own, 1 to its right. */
const onward = [side, 1, -side, -1] as const;

/** What is blocked where nothing is in sight, by the direction in which the agent looks. */
const emptyBoards = [0, 1, 2, 3].map((agentDir) => {
  const board = new Uint8Array(squares).fill(1);
  const firstAhead = agentDir === 0 || agentDir === 1 ? -1 : 0;
  const lastRight = agentDir === 1 || agentDir === 2 ? 4 : 3;
  for (let ahead = firstAhead; ahead <= 6; ahead++) {
    for (let right = -3; right <= lastRight; right++) board[squareAt(ahead, right)] = 0;
  }
  return board;
});

const order = [Move.forward, Move.left, Move.right] as const;
const reversedOrder = order.toReversed();

// Room for a search, which leaves nothing that a later one reads.
const queue = new Uint16Array(states);
const isFound = new Uint8Array(states);
const predecessor = new Uint16Array(states);
const moveInto = new Uint8Array(states);

export class Board {
  private readonly blocked = new Uint8Array(squares);
  private readonly reached = new Uint8Array(squares);

  /** Takes everything off the board and turns it to where the agent looks. */
  clear(agentDir: number): void {
    this.blocked.set(emptyBoards[agentDir] as Uint8Array);
  }

  block(square: number): void {
    this.blocked[square] = 1;
  }

  /** Finds the squares that the agent can get to. Turning is always possible, so directions play no part. */
  explore(): void {
    const { blocked, reached } = this;
    reached.fill(0);
    reached[agentSquare] = 1;
    queue[0] = agentSquare;
    for (let head = 0, tail = 1; head < tail; head++) {
      const square = queue[head] as number;
      for (const step of onward) {
        const next = square + step;
        if (blocked[next] === 1 || reached[next] === 1) continue;
        reached[next] = 1;
        queue[tail++] = next;
      }
    }
  }

  /** Whether the agent can get to a square; as of the last `explore`. */
  isReached(square: number): boolean {
    return this.reached[square] === 1;
  }

  /** Whether the agent can get to a neighbour of a square, and so face it; as of the last `explore`. */
  isFaced(square: number): boolean {
    const { reached } = this;
    return (
      (reached[square - side] as number) +
        (reached[square - 1] as number) +
        (reached[square + 1] as number) +
        (reached[square + side] as number) >
      0
    );
  }

  /** The moves that take the agent to a square, which has been reached. */
  routeTo(square: number): Move[] {
    return this.route((state) => state >> 2 === square);
  }

  /** The moves after which the agent faces a square, which can be faced. */
  routeFacing(square: number): Move[] {
    return this.route((state) => (state >> 2) + (onward[state & 3] as number) === square);
  }

  private route(isGoal: (state: number) => boolean): Move[] {
    const goal = this.search(order, isGoal);
    this.search(reversedOrder, (state) => state === goal);
    const moves: Move[] = [];
    for (let state = goal; state !== agentSquare << 2; state = predecessor[state] as number) {
      moves.push(moveInto[state] as Move);
    }
    return moves.reverse();
  }

  /** Breadth first. A state is a square and a direction: `square << 2 | direction`. @returns the first goal, or -1 */
  private search(moves: readonly Move[], isGoal: (state: number) => boolean): number {
    isFound.fill(0);
    queue[0] = agentSquare << 2;
    isFound[agentSquare << 2] = 1;
    for (let head = 0, tail = 1; head < tail; head++) {
      const state = queue[head] as number;
      if (isGoal(state)) return state;
      for (const move of moves) {
        const next = after(state, move);
        if (isFound[next] === 1 || this.blocked[next >> 2] === 1) continue;
        isFound[next] = 1;
        predecessor[next] = state;
        moveInto[next] = move;
        queue[tail++] = next;
      }
    }
    return -1;
  }
}

function after(state: number, move: Move): number {
  if (move === Move.forward) return state + ((onward[state & 3] as number) << 2);
  return (state & ~3) | ((state + (move === Move.left ? 3 : 1)) & 3);
}
