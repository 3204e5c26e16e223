/** A session of the Tinker API, which owns the run's models on the server. It has to be kept alive by heartbeats. */
import { z } from "zod";
import { misformed, type TinkerServer } from "./server.js";

export interface ModelOptions {
  /** Name of the base model on the server. */
  readonly base: string;
  readonly rank: number;
  readonly seed: number;
}

const heartbeatMs = 10_000;
const sessionReply = z.object({ session_id: z.string(), error_message: z.string().nullish() });
const modelReply = z.object({ model_id: z.string() });
const capabilities = z.object({
  supported_models: z.array(
    z.object({ model_name: z.string().nullish(), max_context_length: z.number().positive().nullish() }),
  ),
});

export interface SupportedModel {
  readonly name: string;
  /** Most tokens of a conversation; undefined if the server does not say. */
  readonly context: number | undefined;
}

export class TinkerSession {
  private models = 0;

  private constructor(
    private readonly server: TinkerServer,
    private readonly id: string,
    private readonly heart: NodeJS.Timeout,
  ) {}

  static async open(server: TinkerServer): Promise<TinkerSession> {
    const body = { tags: ["palestra"], user_metadata: null, sdk_version: "0.25.0", type: "create_session" };
    const received = await server.call("create_session", body, { repeatable: true });
    const reply = sessionReply.safeParse(received);
    if (!reply.success) throw misformed("create_session", "a session_id", received);
    const { session_id } = reply.data;
    const beat = () => {
      // A missed beat does no harm. The next request tells if the session is gone.
      server.call("session_heartbeat", { session_id, type: "session_heartbeat" }, { repeatable: true }).catch(() => {});
    };
    return new TinkerSession(server, session_id, setInterval(beat, heartbeatMs).unref());
  }

  /** Creates a model with fresh adapters. @returns its id */
  async createModel({ base, rank, seed }: ModelOptions): Promise<string> {
    const lora_config = { rank, seed, train_unembed: false, train_mlp: true, train_attn: true };
    const names = { session_id: this.id, model_seq_id: this.models, base_model: base, user_metadata: null };
    this.models += 1;
    const body = { ...names, lora_config, type: "create_model" };
    const received = await this.server.result("create_model", body, { repeatable: true });
    const reply = modelReply.safeParse(received);
    if (!reply.success) throw misformed("create_model", "a model_id", received);
    return reply.data.model_id;
  }

  close(): void {
    clearInterval(this.heart);
  }
}

/** Returns the models that a server offers. */
export async function supportedModels(server: TinkerServer): Promise<SupportedModel[]> {
  const received = await server.call("get_server_capabilities", undefined, { repeatable: true });
  const reply = capabilities.safeParse(received);
  if (!reply.success) throw misformed("get_server_capabilities", "supported_models", received);
  return reply.data.supported_models.flatMap(({ model_name, max_context_length }) =>
    model_name ? [{ name: model_name, context: max_context_length ?? undefined }] : [],
  );
}
