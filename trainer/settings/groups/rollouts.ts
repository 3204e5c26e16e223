/** Settings of rollouts: the policy that samples, and the number and age of the groups. */
import { z } from "zod";
import { weightServers } from "../../policy/weight-push.js";
import { setting } from "../setting.js";
import { positive, whole } from "../types.js";

export const rolloutSettings = {
  policy: setting(
    z.string().default("native"),
    "Policy that samples the rollouts: native, or openai:URL#model for a vLLM or SGLang server that receives the weights.",
    { mode: "gym", change: "asked", startingModel: "no" },
  ),
  policy_server: setting(
    z.enum(["auto", ...weightServers]).default("auto"),
    "Software of the policy's server; auto: detect it with a request to the server.",
    { mode: "gym", change: "free", startingModel: "no" },
  ),
  policy_weights: setting(
    z.string().min(1).optional(),
    "Folder from which the policy's server loads weights. Default: weights in the output folder.",
    { mode: "gym", change: "free", startingModel: "no" },
  ),
  batch_size: setting(whole(1).default(16), "Number of groups in a train step.", {
    mode: "both",
    change: "asked",
    startingModel: "no",
  }),
  max_new_tokens: setting(whole(1).default(24), "Maximum number of tokens in a reply.", {
    mode: "both",
    change: "asked",
    startingModel: "no",
  }),
  top_p: setting(positive.max(1).default(1), "Nucleus sampling: total probability of the tokens to sample from.", {
    mode: "both",
    change: "asked",
    startingModel: "no",
  }),
  max_concurrent_groups: setting(whole(1).default(32), "Maximum number of groups in flight.", {
    mode: "both",
    change: "free",
    startingModel: "no",
  }),
  max_head_offpolicyness: setting(
    whole(0).default(1),
    "Maximum number of policy versions between a token and the weights that learn from it; 0: synchronous.",
    { mode: "both", change: "asked", startingModel: "no" },
  ),
  kv_on_update: setting(
    z.enum(["keep", "recompute"]).default("keep"),
    "Treatment of cached keys and values that older weights computed, after an update.",
    { mode: "both", change: "asked", startingModel: "no" },
  ),
  rollout_retries: setting(whole(0).default(3), "Retries of an episode after a failure of the gym or the policy.", {
    mode: "gym",
    change: "free",
    startingModel: "no",
  }),
};
