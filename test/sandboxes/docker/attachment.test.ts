/** Parsing of a container's streams: whole, in pieces and malformed. */
import { expect, test } from "vitest";
import { ContainerOutput } from "#palestra/sandboxes/docker/attachment.js";

function frame(type: number, text: string): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt8(type, 0);
  head.writeUInt32BE(text.length, 4);
  return Buffer.concat([head, Buffer.from(text)]);
}

async function readAll(output: ContainerOutput): Promise<string> {
  let text = "";
  for await (const bytes of output) text += bytes;
  return text;
}

test.each([1, 3, 7, 8, 9, 1_000])("standard output is assembled from pieces of %i bytes", async (size) => {
  const sent = Buffer.concat([frame(1, "one "), frame(2, "an error"), frame(1, ""), frame(1, "two")]);
  const output = new ContainerOutput();
  const reading = readAll(output);
  for (let at = 0; at < sent.length; at += size) output.write(sent.subarray(at, at + size));
  output.end();
  expect(await reading).toBe("one two");
  expect(output.errors).toBe("an error");
});

test("the end of standard error is kept", async () => {
  const output = new ContainerOutput();
  const reading = readAll(output);
  for (let i = 0; i < 100; i++) output.write(frame(2, `${i}`.padStart(100, ".")));
  output.end();
  await reading;
  expect(output.errors).toHaveLength(2_000);
  expect(output.errors.endsWith("99")).toBe(true);
});

test("a frame of gigabytes ends the stream with an error", async () => {
  const output = new ContainerOutput();
  const reading = readAll(output);
  output.write(Buffer.from([1, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff]));
  await expect(reading).rejects.toThrow(/frame of 2147483647 bytes/);
});

test("a slow reader puts backpressure on the engine", () => {
  const output = new ContainerOutput();
  let written = 0;
  while (output.write(frame(1, "x".repeat(10_000))) && written < 1_000) written += 1;
  expect(written).toBeLessThan(20);
});
