/** The client of py4j's text protocol, with py4j itself and with a peer that splits lines and violates the protocol. */
import { createServer, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { Gateway, GatewayLost, JavaException } from "#palestra/envs/sciworld/jvm/gateway.js";
import type { JavaObject } from "#palestra/envs/sciworld/jvm/java-values.js";
import { JvmProvider } from "#palestra/sandboxes/jvm/jvm-provider.js";
import type { Service } from "#palestra/sandboxes/sandbox.js";
import { gatewayRequest, pidOf, testJvm } from "../../../support/jvm.js";

const objects = { className: "java.util.Objects" };
const integers = { className: "java.lang.Integer" };

async function openGateway(): Promise<{ gateway: Gateway; sandbox: Service }> {
  const provider = new JvmProvider();
  const sandbox = await provider.open(gatewayRequest);
  const gateway = await Gateway.open(await sandbox.openPort());
  onTestFinished(async () => {
    gateway.close();
    await provider.close();
  });
  return { gateway, sandbox };
}

describe("py4j", () => {
  testJvm("returns every value unchanged", async () => {
    const { gateway } = await openGateway();
    const texts = ["", "plain", "é€😀", "\\n\n\r\n\\\\ \\", "\u2028\u0085\0\t", "e", "!ys", "x".repeat(3_000_000)];
    for (const text of texts) expect(await gateway.call(objects, "toString", [text])).toBe(text);
    const list = (await gateway.construct("java.util.ArrayList")) as JavaObject;
    const values = ["text", 1, -(2 ** 31), 2 ** 31 - 1, 2 ** 31, 0.5, 2n ** 62n, true, false, null];
    for (const value of values) await gateway.call(list, "add", [value]);
    const back = await Promise.all(values.map((_, i) => gateway.call(list, "get", [i])));
    expect(back).toEqual(values);
    expect(await gateway.call(list, "clear")).toBeUndefined();
  });

  testJvm("answers any number of concurrent calls in order", async () => {
    const { gateway } = await openGateway();
    const calls = Array.from({ length: 2_000 }, (_, i) => gateway.call(integers, "toString", [i]));
    expect(await Promise.all(calls)).toEqual(calls.map((_, i) => String(i)));
  });

  testJvm("reports an exception, and continues", async () => {
    const { gateway } = await openGateway();
    const thrown = await gateway.call(integers, "parseInt", ["seven\nand é"]).catch((error: Error) => error);
    expect(thrown).toBeInstanceOf(JavaException);
    expect((thrown as Error).message).toBe(
      'expected parseInt to return a value, but it threw java.lang.NumberFormatException: For input string: "seven',
    );
    expect((thrown as JavaException).javaStack).toMatch(/and é"\n\tat java\.base\/java\.lang\.NumberFormatException/);
    await expect(gateway.call(objects, "nothing")).rejects.toThrow(/Method nothing.* does not exist/);
    await expect(gateway.construct("no.Such")).rejects.toThrow(
      /expected new no.Such to return.+ClassNotFoundException/,
    );
    expect(await gateway.call(integers, "parseInt", ["7"])).toBe(7);
  });

  testJvm("drops the reply to an aborted call, and answers the next one correctly", async () => {
    const { gateway } = await openGateway();
    const controller = new AbortController();
    const sleeping = gateway.call({ className: "java.lang.Thread" }, "sleep", [300n], controller.signal);
    const next = gateway.call(integers, "parseInt", ["8"]);
    controller.abort(new Error("given up"));
    await expect(sleeping).rejects.toThrow("given up");
    expect(await next).toBe(8);
    await expect(gateway.call(integers, "parseInt", ["9"], controller.signal)).rejects.toThrow("given up");
  });

  testJvm("fails every waiting call when its process ends", async () => {
    const { gateway, sandbox } = await openGateway();
    const waiting = [1, 2, 3].map(() => gateway.call({ className: "java.lang.Thread" }, "sleep", [10_000n]));
    const settled = Promise.allSettled(waiting);
    process.kill(pidOf(sandbox), "SIGKILL");
    for (const each of await settled) expect(each).toMatchObject({ reason: expect.any(GatewayLost) });
    await expect(gateway.call(objects, "toString", ["text"])).rejects.toThrow(GatewayLost);
  });
});

/** A peer that answers each call with the next of the given replies. */
async function openScripted(answer: (socket: Socket) => void): Promise<Gateway> {
  const server = createServer((socket) => {
    socket.setNoDelay(true).on("error", () => {});
    socket.once("data", () => answer(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const gateway = await Gateway.open({ host: "127.0.0.1", port: (server.address() as { port: number }).port });
  onTestFinished(() => {
    gateway.close();
    server.close();
  });
  return gateway;
}

test("a reply that arrives byte by byte, directly followed by the next one, is read whole", async () => {
  const bytes = Buffer.from("!ys€\\n😀\n!yi7\n!ybfalse\n");
  const gateway = await openScripted(async (socket) => {
    for (const byte of bytes) {
      socket.write(Buffer.from([byte]));
      await new Promise((resolve) => setImmediate(resolve));
    }
  });
  const calls = ["a", "b", "c"].map((method) => gateway.call(objects, method));
  expect(await Promise.all(calls)).toEqual(["€\n😀", 7, false]);
});

test.each(["HTTP/1.1 400 Bad Request\r\n", "!zs\n", "!yq5\n", "\n"])(
  "the reply %j is refused for good",
  async (reply) => {
    const gateway = await openScripted((socket) => socket.write(reply));
    await expect(gateway.call(objects, "toString")).rejects.toThrow(
      /^expected a reply in py4j's protocol, but received /,
    );
    await expect(gateway.call(objects, "toString")).rejects.toThrow(
      /^expected a reply in py4j's protocol, but received /,
    );
  },
);

test("an unexpected reply closes the connection", async () => {
  const gateway = await openScripted((socket) => socket.write("!yi1\n!yi2\n"));
  expect(await gateway.call(objects, "toString")).toBe(1);
  await expect(gateway.call(objects, "toString")).rejects.toThrow(
    /expected a reply in py4j's protocol, but received "!yi2"/,
  );
});

test("a refused connection fails with GatewayLost", async () => {
  await expect(Gateway.open({ host: "127.0.0.1", port: 1 })).rejects.toThrow(GatewayLost);
});
