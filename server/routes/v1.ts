import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { type ErrorCode, errorTable } from "../errors.js";
import { type Call, type Operation, type OperationName, operations } from "../operations.js";
import { ErrorReply } from "../schemas/error.js";

/** What any request may be answered with. */
const commonErrors: readonly ErrorCode[] = [
  "REQUEST_INVALID",
  "REQUEST_MALFORMED",
  "REQUEST_MEDIA_TYPE",
  "REQUEST_TOO_LARGE",
  "TOKEN_MISSING",
  "TOKEN_INVALID",
  "ORIGIN_REFUSED",
  "SERVER_FAULT",
];

/** The operations as routes: parse, call, reply with the text that comes back. */
export function registerV1(app: FastifyInstance, call: Omit<Call, "caller">): void {
  for (const [name, operation] of Object.entries(operations)) {
    registerOperation(app, name as OperationName, operation, call);
  }
}

function registerOperation(
  app: FastifyInstance,
  name: OperationName,
  operation: Operation,
  call: Omit<Call, "caller">,
): void {
  const { method, url, summary, path, query, body, header, reply: replySchema, errors } = operation;
  const takesHeader = Object.keys(header.shape).length > 0;
  const schema = {
    tags: ["v1"],
    operationId: name,
    summary,
    ...(Object.keys(path.shape).length > 0 && { params: path }),
    ...(Object.keys(query.shape).length > 0 && { querystring: query }),
    ...(body && { body }),
    ...(takesHeader && { headers: z.looseObject(headerShape(header)) }),
    response: { 200: replySchema.describe("The result."), ...errorResponses([...commonErrors, ...errors]) },
  };
  app.route({
    method,
    url,
    schema,
    ...(body && { preValidation: emptyBodyAsObject }),
    async handler(request, reply) {
      const params = { ...(request.params as object), ...(request.query as object), ...(request.body as object) };
      if (takesHeader) Object.assign(params, headerParams(request));
      reply.header("content-type", "application/json; charset=utf-8");
      return operation.run({ ...call, caller: request.caller }, params as never);
    },
  });
}

/** A request whose fields are all optional may leave its body out. */
async function emptyBodyAsObject(request: FastifyRequest): Promise<void> {
  request.body ??= {};
}

function headerShape(header: Operation["header"]): z.ZodRawShape {
  const entries = Object.entries(header.shape).map(([name, schema]) => [kebabCase(name), schema]);
  return Object.fromEntries(entries) as z.ZodRawShape;
}

function headerParams(request: FastifyRequest): object {
  return { idempotencyKey: request.headers["idempotency-key"] };
}

function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** One response per status, naming the codes that it may carry. */
export function errorResponses(codes: readonly ErrorCode[]): Record<number, z.ZodType> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set(codes)) {
    const { status } = errorTable[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const responses = [...byStatus].map(([status, names]) => [status, ErrorReply.describe(names.join(", "))]);
  return Object.fromEntries(responses) as Record<number, z.ZodType>;
}
