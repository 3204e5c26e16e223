/** Passes the option `--mount` of `palestra` on to a gym that a command of the trainer starts. */
import { InvalidArgumentError } from "commander";

/**
 * @param args arguments of the trainer's command, which does not know `--mount`
 * @param mounts values of `--mount`
 * @returns the arguments without `--mount`, which let a gym be started, and the environment variable with the mounts for that gym
 */
export function withMounts(
  args: readonly string[],
  mounts: readonly string[] | undefined,
): { args: string[]; variables: Record<string, string> } {
  if (mounts === undefined) return { args: [...args], variables: {} };
  const rest = args.filter((arg, i) => !/^--mount(=|$)/.test(arg) && args[i - 1] !== "--mount");
  const at = rest.findIndex((arg) => /^--gym(=|$)/.test(arg));
  const gym = at < 0 ? undefined : (rest[at]?.split("=")[1] ?? rest[at + 1]);
  if (gym !== undefined && gym !== "spawn") {
    const remedy = "Give --mount to `palestra serve`, which serves that gym";
    throw new InvalidArgumentError(`expected --mount without --gym, but received both. ${remedy}`);
  }
  const started = gym === undefined ? ["--gym", "spawn"] : [];
  return { args: [...rest, ...started], variables: { PALESTRA_MOUNTS: JSON.stringify(mounts) } };
}
