// @ts-check
/** The environment my-environment: walk through a field to a treasure. */

/** Number of columns and rows that a step in a direction adds. */
const moves = new Map([
  ["north", { columns: 0, rows: -1 }],
  ["east", { columns: 1, rows: 0 }],
  ["south", { columns: 0, rows: 1 }],
  ["west", { columns: -1, rows: 0 }],
]);
const directions = [...moves.keys()];

/** The actions, as the agent writes them. */
const actions = directions.map((direction) => `go ${direction}`);

/**
 * Returns a function that draws whole numbers from 0 to `below` - 1. The same seed draws the same numbers on every machine.
 *
 * @param {number} seed
 */
function randomNumbers(seed) {
  let state = (seed ^ Math.floor(seed / 2 ** 32)) >>> 0;
  return (/** @type {number} */ below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** One running instance. Palestra calls `reset`, then `step` until the episode ends, then `close`. */
class Walk {
  size = 0;
  at = { column: 0, row: 0 };
  treasure = { column: 0, row: 0 };

  /** @param {import("palestra/env").ResetRequest} request */
  reset({ task, seed }) {
    const random = randomNumbers(seed);
    this.size = 3 + task.index;
    const draw = () => ({ column: random(this.size), row: random(this.size) });
    this.treasure = draw();
    do this.at = draw();
    while (this.isThere);
    return { observation: this.view("You stand in a field."), info: { size: this.size } };
  }

  /** @param {string} action text of the agent, which may be anything */
  step(action) {
    const direction = action.trim().replace(/^go /, "");
    const move = moves.get(direction);
    if (!move) return this.result(`You can only say ${actions.join(", ")}.`);
    const [column, row] = [this.at.column + move.columns, this.at.row + move.rows];
    if (Math.min(column, row) < 0 || Math.max(column, row) >= this.size) return this.result("A fence is in the way.");
    this.at = { column, row };
    return this.result(`You go ${direction}.`);
  }

  close() {}

  get isThere() {
    return this.at.column === this.treasure.column && this.at.row === this.treasure.row;
  }

  /** @param {string} event */
  result(event) {
    const terminated = this.isThere;
    return { observation: this.view(event), reward: terminated ? 1 : 0, terminated, truncated: false, info: {} };
  }

  /** @param {string} event */
  view(event) {
    if (this.isThere) return `${event} You have found the treasure.`;
    const { at, treasure } = this;
    return `${event} You are in column ${at.column}, row ${at.row}. The treasure is in column ${treasure.column}, row ${treasure.row}.`;
  }
}

/**
 * Returns the next action of a perfect player. Palestra plays it to check that each task can be solved.
 *
 * @param {Walk} walk
 */
function expert({ at, treasure }) {
  if (at.column !== treasure.column) return at.column < treasure.column ? "go east" : "go west";
  return at.row < treasure.row ? "go south" : "go north";
}

/**
 * States why the episode ended as it did, for people. The player never receives the sentence.
 *
 * @param {Walk} walk
 * @param {import("palestra/env").EpisodeEnd} end
 */
function verdict({ at, treasure }, { solved, steps }) {
  if (solved) return { why: `Found the treasure in ${steps} ${steps === 1 ? "step" : "steps"}.` };
  const place = `column ${treasure.column}, row ${treasure.row}`;
  return { why: `Stood in column ${at.column}, row ${at.row}; the treasure is in ${place}.`, expected: { ...treasure } };
}

/** @type {import("palestra/env").EnvironmentSpec<Walk>} */
const spec = {
  id: "my-environment",
  version: 1,
  summary: "Walk through a field to a treasure.",
  splits: {
    train: { size: 20, summary: "Fields with 3 to 22 columns.", title: (index) => `a field with ${3 + index} columns` },
    test: { size: 10, summary: "Fields with 3 to 12 columns.", title: (index) => `a field with ${3 + index} columns` },
  },
  maxSteps: 60,
  rewardRange: [0, 1],
  prompt: `You walk through a field to a treasure. Columns count from west to east, rows from north to south. Actions:
- ${actions.join(", ")}: walk one step`,
  tools: [
    {
      name: "go",
      description: "Walk one step.",
      parameters: {
        type: "object",
        properties: { direction: { type: "string", enum: directions, description: "Where to." } },
        required: ["direction"],
        additionalProperties: false,
      },
      action: "go {direction}",
    },
  ],
  requirements: [],
  restore: "replay",
  create: () => new Walk(),
  expert,
  verdict,
};

export default spec;
