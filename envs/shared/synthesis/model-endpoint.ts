/** Client for chat completions of an OpenAI-compatible endpoint. */
import { setTimeout as delay } from "node:timers/promises";

export interface Message {
  role: "system" | "user";
  content: string;
}

/** Function that sends messages and returns the text of the model's reply. */
export type Ask = (messages: readonly Message[], options: { temperature: number }) => Promise<string>;

/** Thrown if the endpoint cannot be reached or refuses a request. */
export class ModelEndpointError extends Error {
  override readonly name = "ModelEndpointError";
}

export interface ModelEndpoint {
  /** Base URL, including "/v1". */
  url: string;
  model: string;
  apiKey?: string;
  /** Timeout of one request in milliseconds (default 120,000). */
  timeoutMs?: number;
  /** Delay before the first retry in milliseconds (default 500). It doubles with each retry. */
  firstDelayMs?: number;
}

const tries = 4;
const mostTokens = 700;

/**
 * Splits "http://localhost:8000/v1#my-model" into the URL and the model's name.
 *
 * @throws {RangeError}
 */
export function parseModel(text: string): { url: string; model: string } {
  const match = /^(https?:\/\/[^#\s]+)#(\S+)$/.exec(text);
  if (!match)
    throw new RangeError(
      `expected URL#model, such as http://localhost:8000/v1#my-model, but received ${JSON.stringify(text)}`,
    );
  return { url: (match[1] as string).replace(/\/+$/, ""), model: match[2] as string };
}

/**
 * Creates a client. Its calls reject with {@link ModelEndpointError}. A request is made up to four times if the reply
 * has status 429 or 5xx.
 */
export function modelAt({ url, model, apiKey, timeoutMs = 120_000, firstDelayMs = 500 }: ModelEndpoint): Ask {
  const headers = { "content-type": "application/json", ...(apiKey && { authorization: `Bearer ${apiKey}` }) };
  const once = async (body: string): Promise<Response> => {
    try {
      return await fetch(`${url}/chat/completions`, {
        method: "POST",
        headers,
        body,
        signal: AbortSignal.timeout(timeoutMs),
        redirect: "manual",
      });
    } catch (error) {
      const reason =
        error instanceof Error ? ((error.cause as Error | undefined)?.message ?? error.message) : String(error);
      throw new ModelEndpointError(`The endpoint at ${url} did not answer: ${reason}. Check the URL in --model.`);
    }
  };
  return async (messages, { temperature }) => {
    const body = JSON.stringify({ model, messages, temperature, max_tokens: mostTokens });
    for (let attempt = 1; ; attempt++) {
      const response = await once(body);
      if (response.ok) return contentOf(await response.text(), url);
      const isPassing = response.status === 429 || response.status >= 500;
      if (!isPassing || attempt === tries) throw await refusal(response, url);
      await response.body?.cancel();
      await delay(firstDelayMs * 2 ** (attempt - 1));
    }
  };
}

async function refusal(response: Response, url: string): Promise<ModelEndpointError> {
  const text = (await response.text()).slice(0, 300).trim();
  const remedy =
    response.status === 401 || response.status === 403 ? " Set OPENAI_API_KEY to a key of that server." : "";
  return new ModelEndpointError(`The endpoint at ${url} answered with status ${response.status}: ${text}.${remedy}`);
}

function contentOf(text: string, url: string): string {
  let content: unknown;
  try {
    content = JSON.parse(text).choices?.[0]?.message?.content;
  } catch {}
  if (typeof content === "string") return content;
  throw new ModelEndpointError(`expected a chat completion from ${url}, but received ${text.slice(0, 200)}`);
}
