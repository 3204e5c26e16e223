import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";

/** Number of bytes of a block into which small chunks are copied. */
const blockBytes = 16_384;

/**
 * Merges the small chunks of request bodies in `Transfer-Encoding: chunked`. Fastify keeps each chunk in a buffer of its own
 * until the body is complete, and the buffer of a chunk of one byte takes almost 200 bytes. Neither Fastify nor Node limits
 * the number of chunks.
 */
export function mergeChunks(app: FastifyInstance): void {
  app.addHook("preParsing", (request, _reply, payload, done) => {
    const isChunked = request.headers["transfer-encoding"] !== undefined;
    done(null, isChunked ? new MergedChunks(payload as Readable) : payload);
  });
}

class MergedChunks extends Readable {
  private block: Buffer | undefined;
  private length = 0;
  private begun = false;

  constructor(private readonly source: Readable) {
    super();
    // Nobody listens to the error of a request that has been refused.
    this.on("error", () => {});
  }

  override _read(): void {
    if (this.begun) return;
    this.begun = true;
    this.source.on("data", (chunk: Buffer) => this.add(chunk));
    this.source.on("end", () => {
      this.flush();
      this.push(null);
    });
    this.source.on("error", (error) => this.destroy(error));
  }

  private add(chunk: Buffer): void {
    // Fastify no longer listens to a body that is too large. The rest is read and dropped.
    if (this.listenerCount("data") === 0) return;
    if (this.length + chunk.length > blockBytes) this.flush();
    if (chunk.length >= blockBytes) return void this.push(chunk);
    this.block ??= Buffer.allocUnsafeSlow(blockBytes);
    chunk.copy(this.block, this.length);
    this.length += chunk.length;
  }

  private flush(): void {
    if (this.block && this.length > 0) this.push(this.block.subarray(0, this.length));
    this.block = undefined;
    this.length = 0;
  }
}
