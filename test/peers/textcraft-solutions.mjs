/** Prints the expert's actions for each of the 544 goals as JSON lines: `{"dataIdx", "actions"}`. Needs the build. */
import textcraft from "../../dist/.modules/envs/textcraft/index.js";

const split = "all";

for (let index = 0; index < textcraft.splits[split].size; index++) {
  const instance = textcraft.create({ now: Date.now });
  instance.reset({ task: { split, index }, seed: 42 });
  const actions = [];
  for (let action = textcraft.expert(instance); action !== null; action = textcraft.expert(instance)) {
    actions.push(action);
    instance.step(action);
  }
  console.log(JSON.stringify({ dataIdx: index, actions }));
}
