/** Kinds of sandboxes that `palestra check --sandbox` takes. */
export const sandboxKinds = ["docker", "process"] as const;
export type SandboxKind = (typeof sandboxKinds)[number];
