/** Serves the bundled sites of one episode on one local port. The host name of a request selects the site. */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { appOf } from "./sites/apps.js";
import type { World } from "./world.js";

export class LabServer {
  private constructor(private readonly server: Server) {}

  static async open(world: World): Promise<LabServer> {
    const server = createAdaptorServer({
      overrideGlobalObjects: false,
      fetch: async (request) => {
        const app = await appOf(new URL(request.url).hostname);
        return app ? app.fetch(request, world) : new Response("There is no such site.\n", { status: 421 });
      },
    }) as Server;
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(0, "127.0.0.1", resolve);
    });
    return new LabServer(server);
  }

  /** Address of the server: `127.0.0.1:port`. */
  get address(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeAllConnections();
    await closed;
  }
}
