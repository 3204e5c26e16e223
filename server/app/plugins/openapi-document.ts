/** Generates the OpenAPI document from the routes. */
import swagger from "@fastify/swagger";
import Fastify, { type RouteOptions } from "fastify";
import { jsonSchemaTransform, jsonSchemaTransformObject } from "fastify-type-provider-zod";
import { version } from "../../version.js";
import { compilersFactory } from "../validation.js";

export type OpenapiDocument = ReturnType<typeof jsonSchemaTransformObject>;

/** @param routes routes of an app that is ready, in the order in which they were registered */
export async function documentOf(routes: readonly RouteOptions[]): Promise<OpenapiDocument> {
  // The generator has to see each route while it is registered, so it gets an app of its own, which never serves.
  const app = Fastify({ exposeHeadRoutes: false, schemaController: { compilersFactory } });
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Palestra",
        version,
        description: "A gym for LLM agents. openapi/socket.md documents the WebSocket, openapi/errors.md the errors.",
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      tags: [
        { name: "streams", description: "Routes of /v1 that send their reply piece by piece." },
        { name: "v1", description: "Environments, tasks, episodes and steps." },
        { name: "exports", description: "Episodes as files." },
        { name: "events", description: "Server-sent events of an episode and of the gym; see openapi/events.md." },
        { name: "agentgym", description: "AgentGym's servers, for its clients unchanged." },
        { name: "nemo-gym", description: "NeMo Gym's Gymnasium servers, for its agent unchanged." },
        { name: "openenv", description: "OpenEnv's servers, for its clients unchanged." },
        { name: "ors", description: "The Open Reward Standard, for its clients unchanged." },
        { name: "health", description: "For supervisors and load balancers." },
      ],
      components: {
        securitySchemes: {
          token: {
            type: "http",
            scheme: "bearer",
            description: "Not needed on a loopback address. Clients that cannot send headers call /t/<token>/….",
          },
        },
      },
      security: [{}, { token: [] }],
    },
    transform: jsonSchemaTransform,
    transformObject: (input) => tidied(jsonSchemaTransformObject(input)),
  });
  for (const { method, url, schema } of routes)
    if (method !== "HEAD") app.route({ method, url, ...(schema && { schema }), handler: () => {} });
  await app.ready();
  return app.swagger();
}

type JsonObject = { [key: string]: unknown };

interface DocumentedOperation {
  parameters?: { in: string; name: string }[];
  requestBody?: { required: boolean; content: Record<string, { schema: JsonObject }> };
}

const refPrefix = "#/components/schemas/";

/**
 * Tidies the generated document. Removes the suffix `Input` from schema names that no reply uses, removes unused
 * components, capitalizes headers, and marks optional bodies.
 */
function tidied(document: OpenapiDocument): OpenapiDocument {
  const components = "components" in document ? document.components : undefined;
  const schemas = (components?.schemas ?? {}) as Record<string, JsonObject>;
  for (const path of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(path ?? {})) tidyOperation(operation as DocumentedOperation, schemas);
  }
  const used = reachable(document.paths, schemas);
  const shortName = (name: string) => {
    const short = name.replace(/Input$/, "");
    return used.has(short) ? name : short;
  };
  const named = [...used].sort().map((name) => [shortName(name), schemas[name]]);
  const tidy = { ...document, components: { ...components, schemas: Object.fromEntries(named) } };
  return JSON.parse(JSON.stringify(tidy), (key, value) =>
    key === "$ref" && isRef(value) ? refPrefix + shortName(value.slice(refPrefix.length)) : value,
  );
}

function tidyOperation(
  { parameters = [], requestBody }: DocumentedOperation,
  schemas: Record<string, JsonObject>,
): void {
  for (const parameter of parameters) {
    if (parameter.in === "header")
      parameter.name = parameter.name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
  }
  if (!requestBody) return;
  const { schema = {} } = Object.values(requestBody.content)[0] ?? {};
  const resolved = isRef(schema.$ref) ? schemas[schema.$ref.slice(refPrefix.length)] : schema;
  requestBody.required = Array.isArray(resolved?.required);
}

/** Returns the names of the schemas that `from` refers to, directly or indirectly. */
function reachable(from: unknown, schemas: Record<string, JsonObject>): Set<string> {
  const names = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (key !== "$ref" || !isRef(value)) visit(value);
      else if (!names.has(value.slice(refPrefix.length))) {
        names.add(value.slice(refPrefix.length));
        visit(schemas[value.slice(refPrefix.length)]);
      }
    }
  };
  visit(from);
  return names;
}

function isRef(value: unknown): value is string {
  return typeof value === "string" && value.startsWith(refPrefix);
}
