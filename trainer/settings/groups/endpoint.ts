/** Settings of the rollout endpoint, at which agent programs play. */
import { z } from "zod";
import { setting } from "../setting.js";

export const endpointSettings = {
  rollout: setting(
    z.enum(["gym", "endpoint"]).default("gym"),
    "gym: the trainer plays the tasks itself; endpoint: agent programs play, through a server with the APIs of OpenAI and Anthropic.",
    { mode: "both", change: "asked", startingModel: "no" },
  ),
  endpoint_host: setting(z.string().min(1).default("127.0.0.1"), "Address at which the rollout endpoint listens.", {
    mode: "endpoint",
    change: "free",
    startingModel: "no",
  }),
  endpoint_port: setting(z.int().min(0).max(65_535).default(8800), "Port of the rollout endpoint; 0: a free port.", {
    mode: "endpoint",
    change: "free",
    startingModel: "no",
  }),
  endpoint_api_key: setting(
    z.string().min(1).optional(),
    "API key that agents must send. Default: no key is required.",
    {
      mode: "endpoint",
      change: "free",
      startingModel: "no",
    },
  ),
  endpoint_lease_s: setting(
    z.number().positive().max(86_400).default(120),
    "Idle time in seconds after which a rollout fails, and after which a group is closed.",
    { mode: "endpoint", change: "free", startingModel: "no" },
  ),
  endpoint_wait_s: setting(
    z.number().min(0).max(3600).default(30),
    "Seconds that a claim of a rollout waits for a free seat before it is refused and has to be sent again.",
    { mode: "endpoint", change: "free", startingModel: "no" },
  ),
  endpoint_reward_s: setting(
    z.number().positive().max(1_000_000).default(3600),
    "Seconds without a call after which a product's conversation that has no reward is left out of training.",
    { mode: "endpoint", change: "free", startingModel: "no" },
  ),
  endpoint_sampling: setting(
    z.enum(["refuse", "override"]).default("refuse"),
    "Treatment of a training request whose temperature or top_p differs from the run's: refuse it, or override them.",
    { mode: "endpoint", change: "asked", startingModel: "no" },
  ),
  endpoint_solved_reward: setting(
    z.number().default(1),
    "Minimum return of a solved rollout, if the agent does not report whether it is solved.",
    { mode: "endpoint", change: "asked", startingModel: "no" },
  ),
};
