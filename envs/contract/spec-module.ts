/** Loads the spec that a module exports, and checks the fields that the gym reads at once. */
import type { AnyEnvironmentSpec, EnvironmentFacts } from "../env.js";
import { UnusableModule } from "../errors.js";
import { describeImportFailure } from "./import-failure.js";
import { unknownField } from "./spec-fields.js";

export type Load = () => Promise<unknown>;

/** @param url URL or description of the module, for errors @throws {UnusableModule} */
export async function loadSpec(url: string, load: Load): Promise<AnyEnvironmentSpec> {
  const refuse = (received: string, cause?: unknown) =>
    new UnusableModule(`${url} to export an EnvironmentSpec as its default`, received, cause);
  const module = (await load().catch(async (error: unknown) => {
    throw typeScriptRefused(url, error) ?? refuse(await describeImportFailure(url, error), error);
  })) as { default?: AnyEnvironmentSpec };
  const spec = module.default;
  if (typeof spec !== "object" || spec === null) throw refuse(spec === null ? "null" : typeof spec);
  const unknown = unknownField(spec);
  if (unknown) {
    // Imported on demand, since hosts never need it.
    const { didYouMean } = await import("../did-you-mean.js");
    const { path, name, known } = unknown;
    const hint = didYouMean(name, known) || `. The fields are ${known.join(", ")}`;
    throw refuse(`a spec with the unknown field ${path}${hint}`);
  }
  for (const [field, kind] of Object.entries(kinds) as [keyof typeof kinds, string][]) {
    const type = typeof spec[field];
    if (!kind.split(" or ").includes(type))
      throw refuse(`a spec whose ${field} has the type ${type} instead of ${kind}`);
  }
  const { isAsync, restore, defaultSplit, splits }: EnvironmentFacts & { isAsync?: boolean } = spec;
  if (defaultSplit !== undefined && !Object.hasOwn(splits, defaultSplit))
    throw refuse(`a spec whose defaultSplit is ${JSON.stringify(defaultSplit)}, which is none of its splits`);
  if (isAsync && restore === "clone") throw refuse("an async spec with restore: clone");
  return spec;
}

const typeScriptCodes: ReadonlyMap<string | undefined, string> = new Map([
  ["ERR_UNKNOWN_FILE_EXTENSION", "TypeScript, which this Node does not load (22.18 and 23.6 are the first that do)"],
  ["ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX", "syntax that Node cannot strip, such as an enum"],
  ["ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING", "TypeScript below node_modules, which Node does not load"],
]);

/**
 * Returns an error that advises compiling the module, if Node.js cannot load its TypeScript, and otherwise undefined.
 */
function typeScriptRefused(url: string, error: unknown): UnusableModule | undefined {
  if (!/\.[cm]?tsx?$/.test(url)) return undefined;
  const received = typeScriptCodes.get((error as NodeJS.ErrnoException).code);
  if (received === undefined) return undefined;
  const compiled = url.replace(/\.([cm]?)tsx?$/, ".$1js").replace(/^.*\//, "");
  const remedy = `Compile it, for example with \`npx tsc\`, and name ${compiled}`;
  return new UnusableModule(`a module that Node ${process.version} can load`, `${url}: ${received}. ${remedy}`, error);
}

/**
 * Types of the spec's fields that the gym reads when it loads a module. The conformance suite checks all other fields.
 */
const kinds = {
  id: "string",
  version: "number or string",
  summary: "string",
  splits: "object",
  maxSteps: "number",
  rewardRange: "object",
  prompt: "string",
  requirements: "object",
  create: "function",
} as const satisfies { [field in keyof AnyEnvironmentSpec]?: string };
