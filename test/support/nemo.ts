/** A client of NeMo Gym's protocol with the requests of its `gymnasium_agent`, and the cookies of one rollout. */
import { randomUUID } from "node:crypto";

export type OutputItem = Record<string, unknown> & { type: string };

export interface NemoReply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: replies of several routes
  body: any;
}

export function message(text: string): OutputItem {
  const content = [{ type: "output_text", text, annotations: [] }];
  return { type: "message", id: "m", role: "assistant", status: "completed", content };
}

export function functionCall(callId: string, name: string, given: object | string): OutputItem {
  const text = typeof given === "string" ? given : JSON.stringify(given);
  return { type: "function_call", call_id: callId, name, arguments: text };
}

export class NemoRollout {
  cookie: string | null = null;

  constructor(
    readonly url: string,
    private readonly headers: Record<string, string> = {},
  ) {}

  reset(row: object = {}): Promise<NemoReply> {
    return this.post("/reset", { responses_create_params: { input: [] }, agent_ref: { name: "agent" }, ...row });
  }

  step(output: OutputItem[], requestId: string | null = randomUUID()): Promise<NemoReply> {
    return this.post("/step", {
      responses_create_params: { input: [] },
      response: { id: "resp_1", object: "response", model: "scripted", output },
      ...(requestId !== null && { _ng_step_request_id: requestId }),
    });
  }

  say(text: string, requestId?: string | null): Promise<NemoReply> {
    return this.step([message(text)], requestId);
  }

  async post(path: string, body: unknown): Promise<NemoReply> {
    const response = await fetch(`${this.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...(this.cookie && { cookie: this.cookie }), ...this.headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
    const [cookie] = response.headers.getSetCookie();
    if (cookie !== undefined) this.cookie = cookie.split(";", 1)[0] as string;
    return { status: response.status, body: await response.json() };
  }
}
