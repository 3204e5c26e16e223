/**
 * The squares that a walk may use, and the search for walks. Positions are relative to the agent. A walk stays within
 * the squares that AgentGym searches: the view and, by a bug of AgentGym, one more row or column at its edge, depending
 * on the direction. Visible walls, keys, balls and boxes are blocked. Hidden squares and all doors, even locked ones,
 * are free.
 *
 * This module returns the same walks as AgentGym's breadth-first search, which tries the moves forward, left, right.
 * AgentGym queues a state every time the state is found, and keeps the predecessor found last before the state is
 * dequeued. A move changes the parity of x + y + direction, so it never connects two states at the same distance. The
 * goal is therefore the goal of a plain breadth-first search, and the predecessors are those of a plain search that
 * tries the moves in reverse order.
 */
import { Move } from "../engine/codes.js";

/** Side of the board in squares: 8 rows and columns within a border that is always blocked. */
const side = 10;
const squares = side * side;
const states = squares * 4;

/**
 * Returns the index of a square. @param ahead rows ahead of the agent, -1 to 6 @param right columns to the right, -3 to
 * 4
 */
export function squareAt(ahead: number, right: number): number {
  return (ahead + 2) * side + right + 4;
}

const agentSquare = squareAt(0, 0);
/**
 * Difference between the indices of a square and its neighbor, by direction: 0 is the agent's direction, 1 its right.
 */
const onward = [side, 1, -side, -1] as const;

/** Boards of an empty view, by the direction of the agent: 1 for a blocked square. */
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

  /** Removes all objects from the board and sets the limits for the agent's direction. */
  clear(agentDir: number): void {
    this.blocked.set(emptyBoards[agentDir] as Uint8Array);
  }

  block(square: number): void {
    this.blocked[square] = 1;
  }

  /** Finds the reachable squares. The agent's direction does not matter, since turning is always possible. */
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

  /** Whether the last call of `explore` found a square reachable. */
  isReached(square: number): boolean {
    return this.reached[square] === 1;
  }

  /**
   * Whether the last call of `explore` found a neighbor of a square reachable, so that the agent can face the square.
   */
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

  /** Returns the moves after which the agent faces a square. The square must have a reachable neighbor. */
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
