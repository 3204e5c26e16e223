/** Passes environments that options of `palestra` add on to a gym that a command of the trainer starts. */
import { InvalidArgumentError } from "commander";

/** Values of the options of `palestra` that add environments. */
export interface Additions {
  mount?: readonly string[];
  environmentModule?: readonly string[];
}

/** Each option with the variable of its setting. */
const options = {
  mount: ["--mount", "PALESTRA_MOUNTS"],
  environmentModule: ["--environment-module", "PALESTRA_ENVIRONMENTS"],
} as const satisfies Record<keyof Additions, [flag: string, variable: string]>;

/**
 * @param args arguments of the trainer's command, which does not know these options
 * @returns the arguments without the options, which let a gym be started, and the environment variables with their values for that gym
 */
export function withAdditions(
  args: readonly string[],
  additions: Additions,
): { args: string[]; variables: Record<string, string> } {
  const given = (Object.keys(options) as (keyof Additions)[]).filter((name) => additions[name] !== undefined);
  const [first] = given;
  if (first === undefined) return { args: [...args], variables: {} };
  const flags = given.map((name) => options[name][0] as string);
  const isGiven = (arg = "") => flags.includes(arg);
  const rest = args.filter((arg, i) => !isGiven(arg.split("=")[0]) && !isGiven(args[i - 1]));
  const at = rest.findIndex((arg) => /^--gym(=|$)/.test(arg));
  const gym = at < 0 ? undefined : (rest[at]?.split("=")[1] ?? rest[at + 1]);
  if (gym !== undefined && gym !== "spawn") {
    const [flag] = options[first];
    const remedy = `Give ${flag} to \`palestra serve\`, which serves that gym`;
    throw new InvalidArgumentError(`expected ${flag} without --gym, but received both. ${remedy}`);
  }
  const started = gym === undefined ? ["--gym", "spawn"] : [];
  const variables = Object.fromEntries(given.map((name) => [options[name][1], JSON.stringify(additions[name])]));
  return { args: [...rest, ...started], variables };
}
