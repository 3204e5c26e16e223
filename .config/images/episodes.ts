/** The episodes of the pictures: tasks, and what is sent as actions. */

export interface Script {
  readonly environment: string;
  readonly task: { readonly split: string; readonly index: number };
  /** Number of steps after which the episode is truncated. Default: the environment's own limit. */
  readonly maxSteps?: number;
  readonly actions: readonly string[];
}

/** A search that reads the right page and gives the wrong answer. */
export const search: Script = {
  environment: "deepsearch",
  task: { split: "test", index: 11 },
  actions: [
    "Which country has Danish as an official language? <search>official language Danish</search>",
    "Only Denmark. I read its page to find the currency. <open>country/denmark</open>",
    "Denmark is a member of the European Union, so it pays in euros. <answer>EUR</answer><cite>country/denmark</cite>",
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
