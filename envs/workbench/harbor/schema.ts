/**
 * The fields of `task.toml` in Harbor's task format, schema 1.0 to 1.4 (Harbor 0.25, Apache-2.0). As in Harbor, unknown
 * keys are ignored. `unknownKeys` lists them.
 */
import { z } from "zod";

const seconds = z.number().positive();
const count = z.number().int().min(0);
const variables = z.record(z.string(), z.string()).default({});
const user = z.union([z.string().min(1), z.number().int().min(0).transform(String)]).optional();

const network = {
  network_mode: z.enum(["public", "no-network", "allowlist"]).optional(),
  allowed_hosts: z.array(z.string().min(1)).optional(),
};

const Healthcheck = z.object({
  command: z.string().min(1),
  interval_sec: seconds.default(5),
  timeout_sec: seconds.default(30),
  start_period_sec: z.number().min(0).default(0),
  start_interval_sec: seconds.default(5),
  retries: z.number().int().min(1).default(3),
});
export type Healthcheck = z.output<typeof Healthcheck>;

const Environment = z.object({
  ...network,
  docker_image: z.string().min(1).optional(),
  build_timeout_sec: seconds.default(600),
  os: z.string().default("linux"),
  cpus: z.number().positive().optional(),
  memory_mb: z.number().int().positive().optional(),
  storage_mb: z.number().int().positive().optional(),
  gpus: count.optional(),
  gpu_types: z.array(z.string()).optional(),
  tpu: z.unknown().optional(),
  mcp_servers: z.array(z.unknown()).default([]),
  skills_dir: z.string().optional(),
  env: variables,
  healthcheck: Healthcheck.optional(),
  workdir: z.string().optional(),
});
export type EnvironmentConfig = z.output<typeof Environment>;

const Agent = z.object({ ...network, timeout_sec: seconds.optional(), user });

const Collect = z.object({
  command: z.string().min(1),
  service: z.string().default("main"),
  timeout_sec: seconds.default(60),
  user,
});

const Verifier = z.object({
  ...network,
  timeout_sec: seconds.default(600),
  env: variables,
  user,
  environment_mode: z.enum(["shared", "separate"]).optional(),
  environment: Environment.optional(),
  collect: z.array(Collect).default([]),
});
export type VerifierConfig = z.output<typeof Verifier>;

const Artifact = z.union([
  z
    .string()
    .min(1)
    .transform((source) => ({ source, exclude: [] as string[], service: "main" })),
  z.object({
    source: z.string().min(1),
    destination: z.string().optional(),
    exclude: z.array(z.string()).default([]),
    service: z.string().default("main"),
  }),
]);
export type Artifact = z.output<typeof Artifact>;

const Step = z.object({
  name: z.string(),
  agent: Agent.prefault({}),
  verifier: Verifier.prefault({}),
  min_reward: z.union([z.number(), z.record(z.string(), z.number())]).optional(),
  healthcheck: Healthcheck.optional(),
  artifacts: z.array(Artifact).default([]),
});
export type StepConfig = z.output<typeof Step>;

const Package = z.object({
  name: z.string().regex(/^[a-zA-Z0-9][\w.-]*\/[a-zA-Z0-9][\w.-]*$/, "the form org/name"),
  version: z.string().optional(),
  description: z.string().default(""),
  authors: z.array(z.unknown()).default([]),
  keywords: z.array(z.string()).default([]),
});

export const TaskConfig = z.object({
  schema_version: z.union([z.string(), z.number().transform(String)]).default("1.4"),
  source: z.string().optional(),
  task: Package.optional(),
  metadata: z.record(z.string(), z.unknown()).default({}),
  agent: Agent.prefault({}),
  verifier: Verifier.prefault({}),
  environment: Environment.prefault({}),
  solution: z.object({ env: variables }).prefault({}),
  multi_step_reward_strategy: z.enum(["mean", "final"]).optional(),
  steps: z.array(Step).optional(),
  artifacts: z.array(Artifact).default([]),
});
export type TaskConfig = z.output<typeof TaskConfig>;

/** Returns the paths of the keys in `value` that the schema does not have, such as `environment.colour`. */
export function unknownKeys(schema: z.ZodType, value: unknown, path = ""): string[] {
  const bare = unwrapped(schema, value);
  if (bare instanceof z.ZodArray && Array.isArray(value))
    return value.flatMap((entry, at) => unknownKeys(bare.element as z.ZodType, entry, `${path}[${at}]`));
  if (!(bare instanceof z.ZodObject) || typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const name = path === "" ? key : `${path}.${key}`;
    const field = Object.hasOwn(bare.shape, key) ? (bare.shape[key] as z.ZodType) : undefined;
    return field ? unknownKeys(field, inner, name) : [name];
  });
}

function unwrapped(schema: z.ZodType, value: unknown): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)
    return unwrapped(schema.unwrap() as z.ZodType, value);
  if (!(schema instanceof z.ZodUnion)) return schema;
  const options = schema.options as z.ZodType[];
  return options.find((option) => option instanceof z.ZodObject && typeof value === "object") ?? schema;
}
