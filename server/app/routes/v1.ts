import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { type ErrorCode, errorTable } from "../../errors.js";
import { callOf, type Operation, type Served } from "../../operations/operation.js";
import { type OperationName, operations } from "../../operations/operations.js";
import { ErrorReply } from "../../operations/schemas/error.js";
import { clientOf } from "../plugins/http-client.js";
import { quick } from "../validation.js";

/** Errors that any request can have. */
export const commonErrors: readonly ErrorCode[] = [
  "REQUEST_INVALID",
  "REQUEST_MALFORMED",
  "REQUEST_MEDIA_TYPE",
  "REQUEST_TOO_LARGE",
  "REQUEST_HEAD_TOO_LARGE",
  "REQUEST_TIMEOUT",
  "TOKEN_MISSING",
  "TOKEN_INVALID",
  "TOKEN_EXPIRED",
  "ORIGIN_REFUSED",
  "LIMIT_PARTIAL",
  "LIMIT_UNSENT",
  "SERVER_FAULT",
];

/** Registers a route for each operation. */
export function registerV1(app: FastifyInstance, served: Served): void {
  for (const { body } of [operations.step, operations.stepMany]) if (body) quick(body);
  for (const [name, operation] of Object.entries<Operation>(operations)) {
    const { method, url, path, query, body } = operation;
    const paramsOf = paramReader(operation);
    app.route({
      method,
      url,
      schema: schemaOf(name as OperationName, operation),
      preValidation: [numbersOf("params", path), numbersOf("query", query), body ? emptyBodyAsObject : null].filter(
        (hook) => hook !== null,
      ),
      handler(request, reply) {
        reply.header("content-type", "application/json; charset=utf-8");
        const call = callOf(served, request.caller, clientOf(reply));
        return operation.bytes?.(call) ?? served.router.run(name, operation, call, paramsOf(request));
      },
    });
  }
}

function schemaOf(name: OperationName, operation: Operation) {
  const { summary, path, query, body, header, reply, errors } = operation;
  return {
    tags: ["v1"],
    operationId: name,
    summary,
    ...(takesAny(path) && { params: path }),
    ...(takesAny(query) && { querystring: query }),
    ...(body && { body }),
    ...(takesAny(header) && { headers: z.looseObject(headerShape(header)) }),
    response: { 200: reply.describe("The result."), ...errorResponses([...commonErrors, ...errors]) },
  };
}

/**
 * Returns a function that collects the parameters of a request from its validated parts. It adds them to the body, which is
 * parsed for this request alone.
 */
function paramReader({ path, query, body, header }: Operation): (request: FastifyRequest) => object {
  const [inQuery, inBody, inHeader] = [takesAny(query), body !== null, takesAny(header)];
  const pathNames = Object.keys(path.shape);
  return (request) => {
    const params = (inBody ? request.body : {}) as Record<string, unknown>;
    for (const name of pathNames) params[name] = (request.params as Record<string, unknown>)[name];
    if (inQuery) Object.assign(params, request.query);
    if (inHeader) Object.assign(params, { idempotencyKey: request.headers["idempotency-key"] });
    return params;
  };
}

function takesAny(part: Operation["path"]): boolean {
  return Object.keys(part.shape).length > 0;
}

type Hook = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;

/**
 * Converts numbers in a path or a query string. The same schemas then work for the socket, where numbers are JSON numbers.
 * Returns null if the schema has no number.
 */
export function numbersOf(part: "params" | "query", { shape }: Operation["query"]): Hook | null {
  const names = Object.keys(shape).filter((name) => isNumber(shape[name] as z.ZodType));
  if (names.length === 0) return null;
  return (request, _reply, done) => {
    const values = request[part] as Record<string, unknown>;
    for (const name of names) {
      const text = values[name];
      // The schema refuses any other text, and repeated parameters.
      if (typeof text === "string" && /^-?[0-9]+(\.[0-9]+)?$/.test(text)) values[name] = Number(text);
    }
    done();
  };
}

function isNumber(schema: z.ZodType): boolean {
  const inner = schema instanceof z.ZodDefault || schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  return inner instanceof z.ZodNumber;
}

/** Replaces a missing body by an empty object, because all fields of a body may be optional. */
function emptyBodyAsObject(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  request.body ??= {};
  done();
}

function headerShape(header: Operation["header"]): z.ZodRawShape {
  const entries = Object.entries(header.shape).map(([name, schema]) => [kebabCase(name), schema]);
  return Object.fromEntries(entries) as z.ZodRawShape;
}

function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Returns the documentation of the error replies: one response per status, described by its error codes. */
export function errorResponses(codes: readonly ErrorCode[]): Record<number, z.ZodType> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set(codes)) {
    const { status } = errorTable[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const responses = [...byStatus].map(([status, names]) => [status, ErrorReply.describe(names.join(", "))]);
  return Object.fromEntries(responses) as Record<number, z.ZodType>;
}
