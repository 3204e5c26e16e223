import { readFileSync } from "node:fs";
import type { OpenAPIV3_1 } from "openapi-types";
import { describe, expect, test } from "vitest";
import { type ErrorEntry, errorCodes, errorTable } from "#palestra/server/errors.js";
import { operations } from "#palestra/server/operations/operations.js";
import { openGym } from "../../support/gym.js";

const root = new URL("../../../", import.meta.url);
const committed = (path: string) => readFileSync(new URL(path, root), "utf8");

const generator = new URL("../../../.config/generate-openapi.ts", import.meta.url).href;
const { generate } = (await import(generator)) as { generate(): Promise<Record<string, string>> };
const generated = await generate();
const document = JSON.parse(generated["openapi/gym.openapi.json"] as string) as OpenAPIV3_1.Document;

interface Documented {
  name: string;
  operation: OpenAPIV3_1.OperationObject;
}

const methods = ["get", "post", "put", "patch", "delete"] as const;
const documented: Documented[] = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
  methods.flatMap((method) => {
    const operation = item?.[method];
    return operation ? [{ name: `${method.toUpperCase()} ${path}`, operation }] : [];
  }),
);

/** Adds the names of a schema's properties, and the name `format` for a string that has a format. */
function addNames(schema: unknown, names: Set<string>, seen = new Set<unknown>()): void {
  if (typeof schema !== "object" || schema === null || seen.has(schema)) return;
  seen.add(schema);
  const { $ref, properties, format, ...rest } = schema as Record<string, unknown>;
  if (typeof $ref === "string") addNames(document.components?.schemas?.[$ref.split("/").at(-1) as string], names, seen);
  if (typeof format === "string") names.add(`format ${format}`);
  for (const [name, property] of Object.entries((properties ?? {}) as object)) {
    names.add(name);
    addNames(property, names, seen);
  }
  for (const part of Object.values(rest)) addNames(part, names, seen);
}

describe("the generated files", () => {
  const files = [
    "openapi/gym.openapi.json",
    "openapi/gym.d.ts",
    "openapi/errors.md",
    "openapi/python/palestra/types.py",
  ];

  test.each(files)("%s is up to date with `npm run generate`", (path) => {
    expect(committed(path), "stale: run `npm run generate`").toBe(generated[path]);
  });

  test("generating again gives the same bytes", async () => {
    expect(await generate()).toEqual(generated);
  });

  test("/openapi.json serves the document", async () => {
    const gym = await openGym();
    expect((await gym.app.inject("/openapi.json")).json()).toEqual(document);
  });
});

describe("the error codes", () => {
  const errorSchema = document.components?.schemas?.Error as { properties: { code: { enum: string[] } } };

  test("of the table are those of the document's Error schema", () => {
    expect(errorSchema.properties.code.enum).toEqual(errorCodes);
  });

  test("of the table are those of openapi/errors.md, with the same status, class, meaning and remedy", () => {
    const rows = [...committed("openapi/errors.md").matchAll(/^\| `([A-Z_]+)` \| ([0-9]+) \| ([a-z]+) \| (.+) \|$/gm)];
    const listed = rows.map(([, code, status, failureClass, when]) => [
      code,
      { status: Number(status), class: failureClass, when },
    ]);
    const table = Object.entries<ErrorEntry>(errorTable).map(([code, { remedy, when, ...rest }]) => [
      code,
      { ...rest, when: remedy === undefined ? when : `${when} ${remedy}` },
    ]);
    expect(listed).toEqual(table);
  });

  test("that an operation declares are in the table and documented under their status", () => {
    for (const [name, { errors }] of Object.entries(operations)) {
      const { responses = {} } = byId(name);
      for (const code of errors) {
        const response = responses[errorTable[code].status] as OpenAPIV3_1.ResponseObject;
        expect(response.description.split(", "), `${name}: ${code}`).toContain(code);
      }
    }
  });

  test("that a response of /v1 or /agentgym names are in the table with that status", () => {
    for (const { name, operation } of documented) {
      for (const [status, response] of Object.entries(operation.responses ?? {})) {
        const { description } = response as OpenAPIV3_1.ResponseObject;
        for (const code of description.match(/\b[A-Z]+(_[A-Z]+)+\b/g) ?? []) {
          expect(errorTable, `${name} ${status}`).toHaveProperty(
            code,
            expect.objectContaining({ status: Number(status) }),
          );
        }
      }
    }
  });
});

describe("the document", () => {
  test("has every operation of /v1 under its name, but no socket and no metrics", () => {
    const names = documented
      .filter(({ operation }) => operation.tags?.includes("v1"))
      .map(({ operation }) => operation.operationId);
    expect(names.sort()).toEqual(Object.keys(operations).sort());
    expect(Object.keys(document.paths ?? {}).filter((path) => /socket|^\/metrics|openapi/.test(path))).toEqual([]);
  });

  test("gives every operation a tag, a summary and a unique id", () => {
    for (const { name, operation } of documented) {
      expect(operation.tags, name).toHaveLength(1);
      expect(operation.summary, name).toMatch(/^[A-Z].+\.$/);
      expect(operation.operationId, name).toMatch(/^[a-z][A-Za-z]+$/);
    }
    expect(new Set(documented.map(({ operation }) => operation.operationId)).size).toBe(documented.length);
  });

  test("lists AgentGym's routes under the tag agentgym", () => {
    const tagged = documented.filter(({ operation }) => operation.tags?.includes("agentgym"));
    const textcraft = ["POST create", "POST reset", "POST step", "GET observation", "GET detail", "POST close"];
    const babyai = ["POST create", "POST reset", "POST step", "GET observation", "POST close", "POST render"];
    const sciworld = [
      ...["POST create", "POST reset", "POST step", "POST step_visual", "POST close", "GET observation"],
      ...["GET action_hint", "GET goals", "GET detail", "GET task_description", "GET object_tree", "GET state"],
    ];
    const webarena = ["POST create", "POST reset", "POST step", "POST close"];
    webarena.push("GET observation", "GET observation_metadata");
    const searchqa = ["POST create", "POST reset", "POST step", "POST close", "GET observation"];
    const expected = [
      ...["GET ", ...searchqa].map((route) => route.replace(" ", " /agentgym/searchqa/")),
      ...["GET ", ...textcraft].map((route) => route.replace(" ", " /agentgym/textcraft/")),
      ...["GET ", ...babyai].map((route) => route.replace(" ", " /agentgym/babyai/")),
      ...["GET ", ...sciworld].map((route) => route.replace(" ", " /agentgym/sciworld/")),
      ...["webarena", "webarena-lab"].flatMap((name) =>
        ["GET ", ...webarena].map((route) => route.replace(" ", ` /agentgym/${name}/`)),
      ),
    ];
    expect(tagged.map(({ name }) => name).sort()).toEqual(expected.sort());
  });

  test("names the schema of every request and reply of /v1 as an existing component", () => {
    for (const { name, operation } of documented.filter(({ operation }) => operation.tags?.includes("v1"))) {
      const body = operation.requestBody as OpenAPIV3_1.RequestBodyObject | undefined;
      const replies = Object.values(operation.responses ?? {}) as OpenAPIV3_1.ResponseObject[];
      for (const { content } of [...replies, ...(body ? [body] : [])]) {
        const schema = content?.["application/json"]?.schema as OpenAPIV3_1.ReferenceObject;
        expect(Object.keys(schema), name).toEqual(["$ref"]);
        expect(schema.$ref).toMatch(/^#\/components\/schemas\/[A-Za-z]+$/);
      }
    }
  });

  test("has no missing component and no unused component", () => {
    const refs = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name);
    expect([...new Set(refs)].sort()).toEqual(Object.keys(document.components?.schemas ?? {}).sort());
  });

  test("writes path parameters in braces and documents each", () => {
    for (const [path, item] of Object.entries(document.paths ?? {})) {
      expect(path).not.toContain(":");
      const inPath = [...path.matchAll(/\{([A-Za-z]+)\}/g)].map(([, name]) => name);
      for (const method of methods) {
        const parameters = (item?.[method]?.parameters ?? []) as OpenAPIV3_1.ParameterObject[];
        if (!item?.[method]) continue;
        expect(parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name)).toEqual(inPath);
      }
    }
  });

  test("documents the header Idempotency-Key only where episodes are created", () => {
    const withKey = documented.filter(({ operation }) =>
      (operation.parameters as OpenAPIV3_1.ParameterObject[] | undefined)?.some(
        ({ name }) => name === "Idempotency-Key",
      ),
    );
    expect(withKey.map(({ operation }) => operation.operationId).sort()).toEqual(["create", "createMany"]);
  });

  test("requires a body only if one of its fields is required", () => {
    const required = documented
      .map(({ operation }) => [operation.operationId, operation.requestBody as OpenAPIV3_1.RequestBodyObject] as const)
      .filter(([, body]) => body)
      .map(([id, body]) => [id, body.required]);
    expect(Object.fromEntries(required)).toMatchObject({ create: true, step: true, stepMany: true, fork: false });
  });

  test("lets no request name an address or a file for the gym to fetch", () => {
    const named = new Map(
      documented.map(({ name, operation: { parameters = [], requestBody } }) => {
        const found = new Set(parameters.map((parameter) => (parameter as OpenAPIV3_1.ParameterObject).name));
        addNames(requestBody, found);
        return [name, [...found].sort()];
      }),
    );
    expect(named.get("POST /v1/episodes")).toEqual(expect.arrayContaining(["environment", "options", "split"]));
    const places = /ur[il]|path|file|folder|director|host|address|endpoint|server|proxy|(^|_)mount|webhook|callback/i;
    const naming = [...named].filter(([, names]) => names.some((name) => places.test(name)));
    expect(naming).toEqual([]);
  });

  test("declares that probes need no token", () => {
    const open = documented.filter(({ operation }) => operation.security?.length === 0).map(({ name }) => name);
    expect(open).toEqual(["GET /livez", "GET /readyz"]);
  });
});

function byId(id: string): OpenAPIV3_1.OperationObject {
  const found = documented.find(({ operation }) => operation.operationId === id);
  if (!found) throw new Error(`expected the operation ${id} in the document, but found none`);
  return found.operation;
}
