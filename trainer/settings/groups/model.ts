/** Settings of the model and of the engine. */
import { z } from "zod";
import { parseTeacher } from "../../policy/teacher.js";
import { teacherServers } from "../../policy/teacher-server.js";
import { parseDevice } from "../device.js";
import { setting } from "../setting.js";
import { checkedBy, positive, whole } from "../types.js";

/** Projections of a layer, in the order in which a layer applies them. */
const loraTargets = ["q", "k", "v", "o", "gate", "up", "down"] as const;

/** The small model has key and value heads of 32 numbers, each of which two query heads share. */
const hiddenSize = whole(64).refine((size) => size % 64 === 0, {
  error: ({ input }) => `expected a multiple of 64, but received ${input}`,
});

export const modelSettings = {
  model: setting(
    z.string().optional(),
    "Folder in Hugging Face's layout, or a GGUF file. Default: a small model that the run creates.",
    { mode: "both", change: "never", startingModel: "yes" },
  ),
  hidden_size: setting(hiddenSize.default(128), "Hidden size of the small model: a multiple of 64.", {
    mode: "gym",
    change: "never",
    startingModel: "yes",
  }),
  layers: setting(whole(1).default(4), "Number of layers of the small model.", {
    mode: "gym",
    change: "never",
    startingModel: "yes",
  }),
  copying_scale: setting(
    z.number().min(0).default(3),
    "Factor by which the attention heads of the small model copy what they read, before training; 0: random heads.",
    { mode: "gym", change: "never", startingModel: "yes" },
  ),
  context_length: setting(whole(16).default(1024), "Maximum number of tokens in a conversation.", {
    mode: "both",
    change: "asked",
    startingModel: "yes",
  }),
  backend: setting(
    z
      .string()
      .regex(
        /^(engine|tinker:https?:\/\/\S+)$/,
        "expected engine, or tinker:URL with the URL of a server of the Tinker API",
      )
      .default("engine"),
    "Where the weights are trained: engine, in this process; tinker:URL, on a server of the Tinker API.",
    { mode: "both", change: "asked", startingModel: "no" },
  ),
  backend_model: setting(
    z.string().min(1).optional(),
    "Name of the model on the backend's server. Default: the setting model.",
    { mode: "both", change: "asked", startingModel: "no" },
  ),
  backend_wait_minutes: setting(
    positive.default(30),
    "Minutes for which the backend's server is waited for while it cannot be reached.",
    { mode: "both", change: "free", startingModel: "no" },
  ),
  teacher: setting(
    z.string().superRefine(checkedBy(parseTeacher)).optional(),
    "Teacher of on-policy-distillation: native:PATH, a model that the engine runs, or openai:URL#model for a vLLM or SGLang server. A small model that the run creates gets the tokenizer of a native teacher. Default: none.",
    { mode: "both", change: "asked", startingModel: "asked" },
  ),
  teacher_server: setting(
    z.enum(["auto", ...teacherServers]).default("auto"),
    "Software of the teacher's server; auto: detect it with a request to the server.",
    { mode: "both", change: "free", startingModel: "no" },
  ),
  lora_rank: setting(
    whole(0).default(0),
    "Rank of the low-rank adapters that are trained instead of the weights; 0: train all weights.",
    { mode: "both", change: "never", startingModel: "yes" },
  ),
  lora_targets: setting(
    z.array(z.enum(loraTargets)).min(1).optional(),
    `Projections that get adapters: some of ${loraTargets.join(", ")}. Default: all.`,
    { mode: "both", change: "never", startingModel: "yes" },
  ),
  lora_dropout: setting(
    z.number().min(0).lt(1).default(0),
    "Share of the adapters' inputs that is dropped in training, from 0 to below 1; rollouts and scores have no dropout.",
    { mode: "both", change: "asked", startingModel: "yes" },
  ),
  lora_alpha: setting(positive.optional(), "Scale of the adapters, divided by their rank. Default: the rank.", {
    mode: "both",
    change: "asked",
    startingModel: "yes",
  }),
  device: setting(
    z.string().superRefine(checkedBy(parseDevice)).default("auto"),
    "Device of the engine: cpu, cuda:0, cuda:1 and so on; auto: the first usable GPU, else cpu.",
    { mode: "both", change: "free", startingModel: "no" },
  ),
  dtype: setting(
    z.enum(["auto", "f32", "bf16"]).optional(),
    "Type of the operands of matrix products; sums are always f32. auto: bf16 on a GPU, the faster one on a processor that multiplies bf16, else f32, and f32 on a processor with `deterministic`; unset: bf16 on a GPU, else f32.",
    { mode: "both", change: "asked", startingModel: "yes" },
  ),
  deterministic: setting(
    z.boolean().default(false),
    "Equal synchronous runs end with equal weights: on a GPU without cuBLAS, on a CPU with f32 where `dtype` is auto.",
    { mode: "both", change: "free", startingModel: "no" },
  ),
  threads: setting(whole(0).default(0), "Threads of the engine on a CPU; 0: all threads of the machine.", {
    mode: "both",
    change: "free",
    startingModel: "no",
  }),
  memory_recompute: setting(
    z.enum(["none", "layer"]).default("none"),
    "layer: save memory by computing the activations of each layer again in the backward pass.",
    { mode: "both", change: "free", startingModel: "no" },
  ),
};
