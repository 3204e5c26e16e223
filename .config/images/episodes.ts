/** The episodes of the pictures: tasks, and the actions that are sent. */

export interface Script {
  readonly environment: string;
  readonly task: { readonly split: string; readonly index: number };
  /** How the gym reads an action in what is sent. Default: the text is the action. */
  readonly format?: "react";
  /** Number of steps after which the episode is truncated. Default: the environment's own limit. */
  readonly maxSteps?: number;
  readonly actions: readonly string[];
}

/** A problem of compound interest, solved as one of simple interest. */
export const failed: Script = {
  environment: "math",
  task: { split: "test", index: 22 },
  format: "react",
  actions: [
    "Thought: Five percent of the deposit is the interest of a year.\nAction: calculate 3700 * 0.05",
    "Thought: Two years bring this interest twice.\nAction: calculate 3700 + 2 * 185",
    "Thought: That is the sum in the account.\nAction: submit 4070",
  ],
};

const sticksOf = (wood: string) => [
  `get 1 ${wood} logs`,
  `craft 4 ${wood} planks using 1 ${wood} logs`,
  `craft 4 stick using 2 ${wood} planks`,
];
const rod = "craft 1 fishing rod using 3 stick, 2 string";

/** Rollouts of one task, of which some solve it, one repeats itself, and some do not reach the goal in time. */
export const rollouts: readonly Script[] = [
  [...sticksOf("oak"), "get 2 string", rod],
  [...sticksOf("oak"), rod, "get 2 string", rod],
  [...sticksOf("oak"), "get 1 string", rod, "get 1 string", rod],
  [...sticksOf("oak"), ...repeated("inventory", 5)],
  [...sticksOf("birch"), "get 2 string", rod],
  ["get 6 bamboo", "craft 3 stick using 6 bamboo", ...repeated("craft 1 stick using 2 bamboo", 3), "get 2 string", rod],
  ["get 6 bamboo", ...repeated("craft 3 stick using 6 bamboo", 7)],
  ["get 1 fishing rod", "get 3 stick", "inventory", ...repeated("get 1 fishing rod", 5)],
].map((actions) => ({ environment: "textcraft", task: { split: "test", index: 40 }, maxSteps: 8, actions }));

/** An episode in the terminal. Its picture is drawn after each step. */
export const played = {
  command: "npx palestra play babyai --task UnlockPickup:0 --picture",
  actions: [
    ...["pickup green key 1", "toggle and go through green locked door 1"],
    ...["move forward", "move forward", "move forward", "drop", "pickup purple box 1"],
  ],
};

function repeated(action: string, times: number): string[] {
  return Array.from({ length: times }, () => action);
}
