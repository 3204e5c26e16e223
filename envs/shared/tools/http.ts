/** Tools that call a web service, described by a URL template and a body template. */
import type { ObjectSchema } from "../../env.js";
import { ServiceFailed } from "../../errors.js";
import { within } from "./deadline.js";
import { bodyOf, checkTemplate, urlOf } from "./http-template.js";
import { Secrets } from "./secrets.js";
import { type Arguments, bounded, type ToolAnswer, type ToolKit } from "./tool-kit.js";

export interface HttpTool {
  name: string;
  description: string;
  /** JSON Schema of the arguments. */
  parameters: ObjectSchema;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** URL template, such as `https://weather.test/{city}?days={days}`. Arguments are URL-encoded. */
  url: string;
  /** Headers of every call, by name. An environment variable of the gym replaces `${NAME}` in a value. */
  headers: Readonly<Record<string, string>>;
  /**
   * Template of the JSON body. `"{city}"` is replaced by the argument with its JSON type, and `{city}` inside a longer
   * text by the argument as text.
   */
  body?: unknown;
  timeoutMs: number;
}

/** Maximum number of bytes that are read from a reply. */
const mostBytes = 2 ** 20;
/** Statuses below 500 that the agent has not caused: an invalid key, a proxy error, a timeout or a rate limit. */
const failures: ReadonlySet<number> = new Set([401, 407, 408, 425, 429]);

/**
 * Creates a kit of one tool. A reply with status 4xx is shown to the agent as an error. The step fails with a retryable
 * error if the service redirects, does not reply in time, or replies with 5xx, 401, 407, 408, 425 or 429.
 *
 * @throws {RangeError} the template is not a valid request, or a variable of a header is not set
 */
export function httpKit(settings: HttpTool): ToolKit {
  const { name, description, parameters } = settings;
  checkTemplate(settings);
  const headers = Secrets.headers(settings.headers, `the tool ${name}`);
  return {
    tools: [{ name, description, parameters, action: `${name} {arguments}` }],
    requirements: [],
    open: () => ({
      call: (_, given, signal) => callService(settings, headers, given, signal),
      async close() {},
    }),
  };
}

async function callService(
  settings: HttpTool,
  headers: Secrets,
  given: Arguments,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const { name, timeoutMs } = settings;
  const failed = (received: string, cause?: unknown) =>
    new ServiceFailed(`a reply of the service behind the tool ${name}`, headers.hide(received), cause);
  const target = urlOf(settings.url, given);
  if ("wrong" in target) return { text: `Error: ${target.wrong}.`, isError: true };
  let response: Response;
  let text: string;
  try {
    [response, text] = await within(timeoutMs, signal, async (deadline) => {
      const reply = await fetch(target.url, requestOf(settings, headers, given, deadline));
      return [reply, headers.hide(await readText(reply))];
    });
  } catch (error) {
    signal.throwIfAborted();
    throw failed(describe(error), error);
  }
  const { status, ok } = response;
  if (status >= 300 && status < 400)
    throw failed(
      `status ${status}, a redirect, which is not followed. Use the address in the redirect as the tool's url`,
    );
  if (status >= 500 || failures.has(status)) throw failed(`status ${status}`);
  return ok ? { text: bounded(text) } : { text: bounded(`Error ${status}: ${text}`), isError: true };
}

function requestOf({ method, body, parameters }: HttpTool, headers: Secrets, given: Arguments, signal: AbortSignal) {
  const hasBody = body !== undefined;
  return {
    method,
    headers: { ...(hasBody && { "content-type": "application/json" }), ...headers.values },
    signal,
    // A redirect could lead to an address inside the host's network and disclose the headers.
    redirect: "manual",
    ...(hasBody && { body: JSON.stringify(bodyOf(body, given, parameters)) }),
  } satisfies RequestInit;
}

/**
 * Returns the first `mostBytes` bytes of the reply as text or, if the reply is not text, a description of its type and
 * size.
 */
async function readText({ body, headers }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk as Uint8Array);
    bytes += (chunk as Uint8Array).length;
    if (bytes > mostBytes) break;
  }
  const read = Buffer.concat(chunks).subarray(0, mostBytes);
  const type = headers.get("content-type") ?? "no stated type";
  if (!read.includes(0) && !/^(image\/(?!svg)|audio\/|video\/|font\/)/.test(type)) return read.toString();
  return `[${bytes > mostBytes ? `more than ${mostBytes}` : bytes} bytes of ${type} that cannot be shown as text]`;
}

function describe(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { code?: string } };
  return cause?.code ? `${message}: ${cause.code}` : message;
}
