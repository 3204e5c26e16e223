/** Aborted calls to a silent JVM leave no process and no sandbox. */
import { createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { Simulator } from "#palestra/envs/sciworld/jvm/simulator.js";
import type { Address, JvmRequest, Sandbox, SandboxProvider } from "#palestra/sandboxes/sandbox.js";

/** Address of a server that reads everything and answers nothing. */
async function openSilent(onConnected: () => void): Promise<Address> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => {}).once("data", onConnected);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { host: "127.0.0.1", port: (server.address() as { port: number }).port };
}

/** A provider of one sandbox, which records how it was closed. */
function lending(address: Address) {
  const closed: unknown[] = [];
  const sandbox: Partial<Sandbox> = {
    openPort: async () => address,
    writeFile: async () => {},
    close: async (options) => void closed.push(options),
  };
  const provider: SandboxProvider<JvmRequest> = { open: async () => sandbox as Sandbox, close: async () => {} };
  return { provider, closed };
}

test("an aborted start closes the sandbox while the JVM is silent", async () => {
  const controller = new AbortController();
  const address = await openSilent(() => controller.abort(new Error("too late")));
  const { provider, closed } = lending(address);
  await expect(Simulator.start(provider, controller.signal)).rejects.toThrow("too late");
  expect(closed).toEqual([{ isSpoilt: true }]);
});
