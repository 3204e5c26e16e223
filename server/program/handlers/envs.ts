import { countOf, type Registry } from "../../../envs/registry.js";
import { Availability } from "../../episodes/episode/availability.js";
import { environmentReply } from "../../operations/replies.js";
import { styled } from "../terminal/command-line.js";

/** Largest number of splits shown in an environment's line. With `--json`, the command lists all splits. */
const mostSplits = 6;

/** Implements `palestra envs`: lists the environments, and their requirements that this machine does not meet. */
export async function envs(registry: Registry, options: { json: boolean }): Promise<void> {
  const availability = new Availability();
  const environments = await Promise.all(registry.list().map((spec) => environmentReply(spec, availability)));
  if (options.json) {
    console.log(JSON.stringify({ environments }, null, 2));
    return;
  }
  for (const environment of environments) {
    const { id, version, summary, splits, options, maxSteps, hasExpert, requirements } = environment;
    const all = splitLines(splits, environment.defaultSplit);
    const sizes =
      all.length > mostSplits ? [...all.slice(0, mostSplits), `${all.length - mostSplits} more splits`] : all;
    console.log(`${styled("bold", `${id}@${version}`)}  ${summary}`);
    console.log(`  tasks: ${sizes.join(", ")}; at most ${maxSteps} steps${hasExpert ? "; has an expert" : ""}`);
    for (const [name, { summary, values }] of Object.entries(options)) {
      console.log(`  option ${name}: ${Object.keys(values).join(" or ")}; ${summary}`);
    }
    for (const { name, available, detail, howToGet } of requirements) {
      const state = available ? styled("green", "has") : styled("yellow", "lacks");
      console.log(`  ${state} ${name}: ${available ? detail : howToGet}`);
    }
  }
}

/** Returns the name and size of each split, the default split first. */
function splitLines(splits: Readonly<Record<string, { size: number }>>, usual: string): string[] {
  const names = [usual, ...Object.keys(splits).filter((name) => name !== usual)];
  return names.map((name) => {
    const size = countOf(splits[name] as { size: number });
    return `${name} ${size}${name === usual ? " (default)" : ""}`;
  });
}
