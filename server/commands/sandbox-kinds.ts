/** Kinds of sandboxes that `palestra check --sandbox` takes. */
export const sandboxKinds = ["docker", "process", "browser"] as const;
export type SandboxKind = (typeof sandboxKinds)[number];
