/**
 * The squares that a walk may use, and the search for walks, with the agent at the origin. A walk stays within the
 * limits of AgentGym's search. The limits are the view and, by an error in AgentGym's ranges, one row behind the agent
 * and one column to the right of the view. Visible walls, keys, balls and boxes are blocked. Unseen squares, and doors
 * in every state, are free.
 *
 * AgentGym runs a search for each object that tries the moves forward, left, right. The search queues a state each time
 * that the state is found. A later find replaces the predecessor of the state until the state is first dequeued. No move
 * joins two states at the same distance, since each move changes the parity of x + y + direction. The first copies in
 * the queue therefore have the order of a plain breadth-first search, which gives the end of the search. The last
 * copies, read backwards, have the order of a plain search with reversed moves. The tree of that search gives the
 * predecessors.
 */
import { Move } from "../engine/codes.js";

/** Side in squares: 8 rows and columns within a border that is always blocked. */
const side = 10;
const squares = side * side;
const states = squares * 4;

/** Returns the square at -1 to 6 rows ahead of the agent and -3 to 4 columns to the right of the agent. */
export function squareAt(ahead: number, right: number): number {
  return (ahead + 2) * side + right + 4;
}

const agentSquare = squareAt(0, 0);
/** Offset to the next square by direction: 0 is the agent's direction, 1 is to the right of the agent. */
const onward = [side, 1, -side, -1] as const;

/** Blocked squares of an empty view, by the direction of the agent. */
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

// Buffers of a search. No search reads values of an earlier search.
const queue = new Uint16Array(states);
const isFound = new Uint8Array(states);
const predecessor = new Uint16Array(states);
const moveInto = new Uint8Array(states);

export class Board {
  private readonly blocked = new Uint8Array(squares);
  private readonly reached = new Uint8Array(squares);

  /** Clears the board and turns it to the direction of the agent. */
  clear(agentDir: number): void {
    this.blocked.set(emptyBoards[agentDir] as Uint8Array);
  }

  block(square: number): void {
    this.blocked[square] = 1;
  }

  /** Finds the reachable squares. Directions do not matter, since turning is always possible. */
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

  /** Whether a square is reachable, as of the last `explore`. */
  isReached(square: number): boolean {
    return this.reached[square] === 1;
  }

  /** Whether a neighbour of a square is reachable, so that the agent can face the square, as of the last `explore`. */
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

  /** Returns the moves to a reachable square. */
  routeTo(square: number): Move[] {
    return this.route((state) => state >> 2 === square);
  }

  /** Returns the moves after which the agent faces a square that it can face. */
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

  /** Searches breadth first over states: `square << 2 | direction`. @returns the first goal, or -1 */
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
