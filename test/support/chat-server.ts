/** A server of OpenAI's chat completions, whose replies a function chooses. It returns made-up tokens if they are asked for. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

interface Message {
  role: string;
  content: string;
}

/** Returns the text of a reply. `turn` is the number of replies before it. */
export type Replier = (observation: string, turn: number) => string;

/** Serves until the end of the test, and returns the base URL, which ends with `/v1`. */
export async function serveChat(reply: Replier): Promise<string> {
  const server = createServer(async (request, response) => {
    const { messages, return_token_ids } = JSON.parse(await bodyOf(request)) as {
      messages: Message[];
      return_token_ids?: boolean;
    };
    const opening = messages.find(({ role }) => role === "user")?.content as string;
    const content = reply(opening, messages.filter(({ role }) => role === "assistant").length);
    const ids = idsOf(content);
    const logprobs = { content: ids.map((id) => ({ token: String.fromCodePoint(id), logprob: -0.5 })) };
    const tokens = return_token_ids ? { token_ids: ids, logprobs } : {};
    const choice = { index: 0, message: { role: "assistant", content }, finish_reason: "stop", ...tokens };
    const usage = { prompt_tokens: 1, completion_tokens: ids.length, total_tokens: 1 + ids.length };
    const prompt = return_token_ids
      ? { prompt_token_ids: idsOf(messages.map((message) => message.content).join("")) }
      : {};
    response.setHeader("content-type", "application/json");
    const head = { id: "1", object: "chat.completion", created: 0, model: "scripted" };
    response.end(JSON.stringify({ ...head, choices: [choice], usage, ...prompt }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

/** Returns a token for each character. The tokens of a dialogue begin with those of its first messages. */
function idsOf(text: string): number[] {
  return [...text].map((character) => character.codePointAt(0) as number);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return text;
}
