/**
 * The standard streams of a container over one upgraded HTTP connection. docker-modem is not used, since it also sends
 * the options as a body, which Podman passes on as input. The demultiplexer of docker-modem also has no backpressure.
 */
import { request } from "node:http";
import { request as requestSecurely } from "node:https";
import type { Socket } from "node:net";
import { pipeline, Transform, type TransformCallback } from "node:stream";
import type { AgentLine } from "../agent/agent-client.js";
import type { Endpoint } from "./endpoint.js";

const headBytes = 8;
/** Largest frame accepted, in bytes. Engines send at most 32 KiB. */
const mostFrameBytes = 2 ** 24;
const stdoutType = 1;
const mostErrorText = 2_000;

export interface Attachment extends AgentLine {
  output: ContainerOutput;
}

/** Attaches to a container. @throws {Error} with `statusCode` if the engine refuses */
export function attach(endpoint: Endpoint, container: string, signal: AbortSignal): Promise<Attachment> {
  const path = `/containers/${encodeURIComponent(container)}/attach?stream=1&stdin=1&stdout=1&stderr=1`;
  const send = "protocol" in endpoint && endpoint.protocol === "https" ? requestSecurely : request;
  const { protocol: _, ...where } = { protocol: undefined, ...endpoint };
  const headers = { Connection: "Upgrade", Upgrade: "tcp" };
  return new Promise((resolve, reject) => {
    const asking = send({ ...where, method: "POST", path, headers, agent: false, signal });
    asking.on("upgrade", (_response, socket: Socket, head: Buffer) => resolve(attachmentOf(socket, head)));
    asking.on("response", (response) => {
      response.resume();
      const message = `status ${response.statusCode} to an attach`;
      reject(Object.assign(new Error(message), { statusCode: response.statusCode }));
    });
    asking.on("error", reject);
    asking.end();
  });
}

function attachmentOf(socket: Socket, head: Buffer): Attachment {
  const output = new ContainerOutput();
  socket.setKeepAlive(true, 30_000);
  if (head.length > 0) output.write(head);
  // Errors are handled by the holder of the line, which listens on both streams.
  pipeline(socket, output, () => {});
  return { input: socket, output };
}

/**
 * Extracts standard output from a stream of both outputs. A frame consists of a type (1 byte), three zeros, a length
 * (u32, big-endian) and a payload of that length. `errors` keeps the last 2,000 characters of standard error.
 */
export class ContainerOutput extends Transform {
  errors = "";
  private head = Buffer.alloc(0);
  private type = 0;
  private left = 0;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let rest = chunk;
    while (rest.length > 0) {
      if (this.left > 0) rest = this.takeBody(rest);
      else {
        rest = this.takeHead(rest);
        if (this.left > mostFrameBytes) return done(new Error(`a frame of ${this.left} bytes from the engine`));
      }
    }
    done();
  }

  private takeBody(bytes: Buffer): Buffer {
    const body = bytes.subarray(0, this.left);
    this.left -= body.length;
    if (this.type === stdoutType) this.push(body);
    else this.errors = (this.errors + body.toString()).slice(-mostErrorText);
    return bytes.subarray(body.length);
  }

  private takeHead(bytes: Buffer): Buffer {
    const missing = headBytes - this.head.length;
    this.head = Buffer.concat([this.head, bytes.subarray(0, missing)]);
    if (this.head.length === headBytes) {
      this.type = this.head.readUInt8(0);
      this.left = this.head.readUInt32BE(4);
      this.head = Buffer.alloc(0);
    }
    return bytes.subarray(missing);
  }
}
