import type { z } from "zod";
import type { Gym } from "../episodes/gym.js";
import { environmentReply } from "./replies.js";
import type { EnvironmentInfo } from "./schemas/environment.js";

/** Milliseconds for which the list is reused. The availability of the requirements is reused for longer. */
const freshForMs = 1_000;

export interface EnvironmentList {
  environments: z.input<typeof EnvironmentInfo>[];
  /** JSON text of the reply to `listEnvironments`, and the same as UTF-8. */
  text: string;
  bytes: Buffer;
}

const known = new WeakMap<Gym, { at: number; list: Promise<EnvironmentList> }>();

/** Returns the environments of a gym. The list is large, and is not made anew for each request. */
export function environmentList(gym: Gym): Promise<EnvironmentList> {
  const present = known.get(gym);
  if (present && performance.now() - present.at < freshForMs) return present.list;
  const list = makeList(gym);
  known.set(gym, { at: performance.now(), list });
  return list;
}

async function makeList(gym: Gym): Promise<EnvironmentList> {
  const environments = await Promise.all(gym.registry.list().map((spec) => environmentReply(spec, gym.availability)));
  const text = JSON.stringify({ environments });
  return { environments, text, bytes: Buffer.from(text) };
}
