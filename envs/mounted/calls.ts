/** Calls of a server over HTTP. A mounted server may be broken or hostile, so its replies are bounded and checked. */
import type { JsonValue } from "../env.js";
import { ServiceFailed } from "../errors.js";

/** Largest number of bytes of a reply. */
export const mostBytes = 10 * 2 ** 20;
/** Largest number of characters of a reply in an error message. */
const shownLength = 200;

type Method = "GET" | "POST";

/** A server at a URL that may hold credentials. */
export class Server {
  /** Scheme, host and port: the part of the URL that messages may show. */
  readonly origin: string;
  /** URL without user and password. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The URL without any credentials, to tell servers apart. */
  readonly place: string;
  private readonly secrets: readonly string[];

  constructor(address: string) {
    const url = new URL(address);
    const [user, password] = [url.username, url.password].map(decoded) as [string, string];
    this.headers =
      user === "" && password === ""
        ? {}
        : { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` };
    this.secrets = secretsOf(url);
    url.username = "";
    url.password = "";
    this.origin = url.origin;
    this.url = url.href.replace(/\/+$/, "");
    this.place = `${url.origin}${url.pathname.replace(/\/t\/[^/]+/, "")}`.replace(/\/+$/, "");
  }

  /** Returns the URL of a path below the server's URL. */
  at(path: string): string {
    const url = new URL(this.url);
    const [name, query] = path.split("?") as [string, string | undefined];
    url.pathname = `${url.pathname.replace(/\/+$/, "")}/${name}`;
    for (const [key, value] of new URLSearchParams(query)) url.searchParams.set(key, value);
    return url.href;
  }

  /**
   * Calls the server.
   *
   * @throws {ServiceFailed} for anything but a reply with status 200 and JSON
   * @throws the signal's reason
   */
  async call(method: Method, path: string, body: object | undefined, signal: AbortSignal): Promise<JsonValue> {
    return (await this.callUnlessBusy(method, path, body, signal, false)) as JsonValue;
  }

  /** Same as `call`, but returns undefined if the server is busy (status 503) and `mayBeBusy` is true. */
  async callUnlessBusy(
    method: Method,
    path: string,
    body: object | undefined,
    signal: AbortSignal,
    mayBeBusy: boolean,
  ): Promise<JsonValue | undefined> {
    const { status, text } = await this.send(method, path, body, signal);
    if (status === 200) return this.parse(path, text);
    if (status === 503 && mayBeBusy) return undefined;
    if (status >= 300 && status < 400) throw this.failed(path, `status ${status}, a redirect, which is not followed`);
    throw this.failed(path, `status ${status}: ${text}`);
  }

  /** Same as `call`, but returns undefined for a status other than 200. */
  async tryCall(method: Method, path: string, body: object | undefined, signal: AbortSignal) {
    const { status, text } = await this.send(method, path, body, signal);
    return status === 200 ? this.parse(path, text) : undefined;
  }

  failed(path: string, received: string, cause?: unknown): ServiceFailed {
    return new ServiceFailed(`a reply of ${this.origin} to ${path.replace(/\?.*/, "")}`, this.shown(received), cause);
  }

  /** Returns the start of a text of the server, without the credentials of its URL. */
  shown(text: string): string {
    const hidden = this.secrets.reduce((rest, secret) => rest.replaceAll(secret, "[secret]"), text);
    return hidden.length <= shownLength ? hidden : `${hidden.slice(0, shownLength)}...`;
  }

  private parse(path: string, text: string): JsonValue {
    try {
      return JSON.parse(text) as JsonValue;
    } catch {
      throw this.failed(path, text === "" ? "an empty reply" : `no JSON: ${text}`);
    }
  }

  private async send(method: string, path: string, body: object | undefined, signal: AbortSignal) {
    const headers = { ...this.headers, ...(body && { "content-type": "application/json" }) };
    const request = {
      method,
      headers,
      signal,
      redirect: "manual",
      ...(body && { body: JSON.stringify(body) }),
    } as const;
    try {
      const response = await fetch(this.at(path), request);
      return { status: response.status, text: await textOf(response) };
    } catch (error) {
      signal.throwIfAborted();
      throw this.failed(path, reasonOf(error), undefined);
    }
  }
}

/** Returns the parts of a URL that may be credentials: user, password, a token in the path, and values of the query. */
function secretsOf(url: URL): string[] {
  const token = /\/t\/([^/]+)/.exec(url.pathname)?.[1] ?? "";
  const raw = [url.username, url.password, token, ...url.searchParams.values()];
  const shortest = 4;
  return raw.flatMap((text) => [text, decoded(text)]).filter((text) => text.length >= shortest);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk as Uint8Array);
    bytes += (chunk as Uint8Array).length;
    if (bytes > mostBytes) throw new Error(`a reply of more than ${mostBytes} bytes`);
  }
  return Buffer.concat(chunks).toString();
}

/** Returns the reason of a failed request. Node states it in the `cause`. */
export function reasonOf(error: unknown): string {
  const { message, cause } = error as Error & { cause?: Error & { code?: string } };
  return cause?.message || cause?.code || message;
}

/** A JSON object. */
export type JsonObject = { [key: string]: JsonValue };

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
