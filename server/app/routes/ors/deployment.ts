/**
 * The header `X-Deployment`, in which a client sends the name that its user gave: `[namespace/]environment`, and after a
 * question mark how this client wants its rewards. Clients send the header with nearly all requests.
 */
import type { FastifyRequest } from "fastify";
import type { AnyEnvironmentSpec } from "../../../../envs/env.js";
import { namesOf } from "../../../adapter/create-request.js";
import { specOf } from "../../../episodes/episode/tasks.js";
import type { Gym } from "../../../episodes/gym.js";
import { GymError, shown } from "../../../errors.js";
import type { RewardMode } from "./results.js";

const rewardModes: readonly RewardMode[] = ["return", "steps"];

function deploymentOf({ headers }: FastifyRequest): { name: string; query: URLSearchParams } {
  const [path = "", query] = String(headers["x-deployment"] ?? "").split("?", 2);
  return { name: path.slice(path.lastIndexOf("/") + 1), query: new URLSearchParams(query) };
}

/** Returns the environment in the path of a request, or else in its header. @throws {GymError} */
export function environmentOf(gym: Gym, request: FastifyRequest): AnyEnvironmentSpec {
  const { environment } = request.params as { environment?: string };
  return specOf(gym.registry, environment ?? nameIn(gym, request));
}

/** Returns the environment of a new session. @param name name from a task, without a version. @throws {GymError} */
export function environmentOfTask(gym: Gym, request: FastifyRequest, name: string | null): AnyEnvironmentSpec {
  const { name: deployed } = deploymentOf(request);
  // The header may name a version or an engine of the environment.
  return name === null || deployed.startsWith(`${name}@`) ? environmentOf(gym, request) : specOf(gym.registry, name);
}

function nameIn(gym: Gym, request: FastifyRequest): string {
  const { name } = deploymentOf(request);
  if (name !== "") return name;
  const expected = `one of the environments ${namesOf(gym.registry).join(", ")} in the path or in the header X-Deployment`;
  throw new GymError("REQUEST_INVALID", expected, "neither");
}

/** @throws {GymError} REQUEST_INVALID */
export function rewardModeOf(request: FastifyRequest): RewardMode {
  const { query } = deploymentOf(request);
  const { rewards = "return", ...others } = Object.fromEntries(query);
  const mode = rewardModes.find((each) => each === rewards);
  if (mode && Object.keys(others).length === 0) return mode;
  const expected = `no more than rewards=${rewardModes.join(" or rewards=")} after the name in the header X-Deployment`;
  throw new GymError("REQUEST_INVALID", expected, shown(query.toString()));
}
