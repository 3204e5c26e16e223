import type { Registry } from "../../envs/registry.js";
import { Availability } from "../episodes/availability.js";
import { environmentReply } from "../replies.js";

/** `palestra envs`: what can be played here, and what is missing for the rest. */
export async function envs(registry: Registry, options: { json: boolean }): Promise<void> {
  const availability = new Availability();
  const environments = await Promise.all(registry.list().map((spec) => environmentReply(spec, availability)));
  if (options.json) {
    console.log(JSON.stringify({ environments }, null, 2));
    return;
  }
  for (const { id, version, summary, splits, maxSteps, hasExpert, requirements } of environments) {
    const sizes = Object.entries(splits).map(([name, { size }]) => `${name} ${size}`);
    console.log(`${id}@${version}  ${summary}`);
    console.log(`  tasks: ${sizes.join(", ")}; at most ${maxSteps} steps${hasExpert ? "; has an expert" : ""}`);
    for (const { name, available, detail, howToGet } of requirements) {
      console.log(`  ${available ? "has" : "lacks"} ${name}: ${available ? detail : howToGet}`);
    }
  }
}
