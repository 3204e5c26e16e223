/** Tools that are calls of a web service, by template. */
import type { ObjectSchema } from "../env.js";
import { ServiceFailed } from "../errors.js";
import { type Arguments, bounded, type ToolAnswer, type ToolKit } from "./tool-kit.js";

export interface HttpTool {
  name: string;
  description: string;
  /** JSON Schema of the arguments. */
  parameters: ObjectSchema;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `https://weather.test/{city}?days={days}`: arguments stand in it as URL components. */
  url: string;
  /** Sent with every call. `${NAME}` in a value is the variable of the gym's environment. */
  headers: Readonly<Record<string, string>>;
  /** `"{city}"` is the argument as it is, of whatever type; `{city}` inside of a longer text is its text. Left out: no body. */
  body?: unknown;
  timeoutMs: number;
}

/** Bytes of a reply that are read. */
const mostBytes = 2 ** 20;
const placeholder = /\{(\w+)\}/g;

/** Where a service answers 4xx, the agent is told; where it does not answer, or with 5xx, the step fails and may be repeated. */
export function httpKit(settings: HttpTool): ToolKit {
  const { name, description, parameters } = settings;
  return {
    tools: [{ name, description, parameters, action: `${name} {arguments}` }],
    requirements: [],
    open: () => ({
      call: (_, given, signal) => callService(settings, given, signal),
      async close() {},
    }),
  };
}

async function callService(settings: HttpTool, given: Arguments, signal: AbortSignal): Promise<ToolAnswer> {
  const { name, method, timeoutMs } = settings;
  const failed = (received: string, cause?: unknown) =>
    new ServiceFailed(`an answer of the service behind the tool ${name}`, received, cause);
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  let response: Response;
  let text: string;
  try {
    response = await fetch(urlOf(settings.url, given), {
      method,
      headers: headersOf(settings),
      signal: deadline,
      // A service that sends its callers elsewhere could send them to an address that its host did not mean.
      redirect: "manual",
      ...(settings.body !== undefined && { body: JSON.stringify(filled(settings.body, given)) }),
    });
    text = await readText(response);
  } catch (error) {
    signal.throwIfAborted();
    throw failed(deadline.aborted ? `none within ${timeoutMs} ms` : describe(error), error);
  }
  if (response.status >= 500) throw failed(`status ${response.status}`);
  const isError = !response.ok;
  return { text: isError ? bounded(`Error ${response.status}: ${text}`) : bounded(text), ...(isError && { isError }) };
}

function urlOf(template: string, given: Arguments): string {
  return template.replace(placeholder, (_, name: string) => encodeURIComponent(textOf(given[name])));
}

function headersOf({ headers, body }: HttpTool): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    value.replace(/\$\{(\w+)\}/g, (_, variable: string) => process.env[variable] ?? ""),
  ]);
  return { ...(body !== undefined && { "content-type": "application/json" }), ...Object.fromEntries(entries) };
}

/** The template with arguments in it; an entry whose argument is left out is left out. */
function filled(template: unknown, given: Arguments): unknown {
  if (typeof template === "string") {
    const [, whole] = /^\{(\w+)\}$/.exec(template) ?? [];
    return whole === undefined ? template.replace(placeholder, (_, name: string) => textOf(given[name])) : given[whole];
  }
  if (Array.isArray(template)) return template.map((entry) => filled(entry, given));
  if (typeof template !== "object" || template === null) return template;
  return Object.fromEntries(Object.entries(template).map(([key, entry]) => [key, filled(entry, given)]));
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk as Uint8Array);
    bytes += (chunk as Uint8Array).length;
    if (bytes > mostBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, mostBytes).toString();
}

function describe(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { code?: string } };
  return cause?.code ? `${message}: ${cause.code}` : message;
}
