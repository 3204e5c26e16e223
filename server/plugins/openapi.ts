import { readFileSync } from "node:fs";
import swagger from "@fastify/swagger";
import type { FastifyInstance } from "fastify";
import { jsonSchemaTransform, jsonSchemaTransformObject } from "fastify-type-provider-zod";

const packageFile = new URL("../../../package.json", import.meta.url);

/** The version of the package, which is also the document's. */
export const version = (JSON.parse(readFileSync(packageFile, "utf8")) as { version: string }).version;

/** Serves `/openapi.json`, read off the routes. To be registered before them. */
export async function registerOpenapi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Palestra",
        version,
        description:
          "A gym for LLM agents. The WebSocket side is in openapi/socket.md, the errors in openapi/errors.md.",
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
      security: [{}, { token: [] }],
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  });
  app.get("/openapi.json", { schema: { hide: true }, config: { public: true } }, () => app.swagger());
}
