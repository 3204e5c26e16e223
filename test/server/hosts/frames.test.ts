/** Messages between the gym's process and a host process, whole, split, joined and broken. */
import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { Frames } from "#palestra/server/hosts/process/frames.js";

/** Opens the receiving end of a connection. */
function receiver(mostBytes = 1_000) {
  const socket = new PassThrough();
  const received: unknown[] = [];
  new Frames<never, unknown>(socket, mostBytes, {
    onFrame: (message, text) => void received.push([message, text]),
    onBroken: (reason) => void received.push(reason),
  });
  return { socket, received };
}

/** Returns the bytes of a frame. */
function frame(message: string, text = ""): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(Buffer.byteLength(message), 0);
  head.writeUInt32BE(Buffer.byteLength(text), 4);
  return Buffer.concat([head, Buffer.from(message), Buffer.from(text)]);
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("frames", () => {
  test("arrive whole and in order, however their bytes are split", async () => {
    const bytes = Buffer.concat([frame('{"a":1}', "snow ☃"), frame("[]"), frame('"z"', "x".repeat(300))]);
    for (const size of [1, 3, 7, 8, 64, bytes.length]) {
      const { socket, received } = receiver();
      for (let at = 0; at < bytes.length; at += size) socket.write(bytes.subarray(at, at + size));
      await turn();
      expect(received, `parts of ${size} bytes`).toEqual([
        [{ a: 1 }, "snow ☃"],
        [[], ""],
        ["z", "x".repeat(300)],
      ]);
    }
  });

  test.each([
    ["a message that is not JSON", frame("{a}")],
    ["a frame of 1001 bytes", frame(`"${"x".repeat(999)}"`)],
    ["a frame of 3616640224 bytes", Buffer.from("hello, this is no frame")],
  ])("end with %s, which the receiver reports once", async (reason, bytes) => {
    const { socket, received } = receiver();
    socket.write(Buffer.concat([frame("1"), bytes, frame("2")]));
    await turn();
    socket.write(frame("3"));
    await turn();
    expect(received).toEqual([[1, ""], reason]);
  });

  test("arrive at the receiver as the sender wrote them", async () => {
    const { socket, received } = receiver();
    const sender = new Frames<object, never>(socket, 1_000, { onFrame: () => {}, onBroken: () => {} });
    await sender.send({ type: "step" }, "look ☃");
    await turn();
    expect(received).toEqual([[{ type: "step" }, "look ☃"]]);
  });
});
