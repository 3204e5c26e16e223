import type { FastifyInstance, RouteOptions } from "fastify";
import type { OpenapiDocument } from "./openapi-document.js";

declare module "fastify" {
  interface FastifyInstance {
    /** Returns the document of all routes. Call this function after the app is ready. */
    openapi(): Promise<OpenapiDocument>;
  }
}

/**
 * Serves `/openapi.json`, generated from the routes at the first request, since its generator is large. Call this function
 * before the routes are registered.
 */
export function registerOpenapi(app: FastifyInstance): void {
  const routes: RouteOptions[] = [];
  app.addHook("onRoute", (route) => void routes.push(route));
  let document: Promise<OpenapiDocument> | undefined;
  app.decorate("openapi", () => {
    document ??= import("./openapi-document.js").then(({ documentOf }) => documentOf(routes));
    return document;
  });
  let body: Buffer | undefined;
  app.get("/openapi.json", { schema: { hide: true }, config: { public: true } }, async (_request, reply) => {
    // The document is large and does not change after the start.
    body ??= Buffer.from(JSON.stringify(await app.openapi()));
    return reply.type("application/json; charset=utf-8").send(body);
  });
}

/** Returns the name of an operation in camel case. @param words words with `/`, `:`, `_` or `.` between them, such as a path */
export function operationIdOf(words: string): string {
  return words.replace(/[/:_.-]+([a-z])/g, (_, letter) => letter.toUpperCase());
}
