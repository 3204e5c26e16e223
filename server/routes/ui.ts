/** `GET /ui/`: the studio, a web page that uses the gym's API (server/ui). */
import { fileURLToPath } from "node:url";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";

const folder = fileURLToPath(new URL("../ui/", import.meta.url));

const headers = {
  // Observations are untrusted. Pictures are data: URLs.
  "content-security-policy": [
    "default-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join("; "),
  // The URL of the page may contain a token.
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** Names of assets contain a hash of their content. */
const assetMs = 365 * 86_400_000;

/** Registers the page. Its files need no token; the calls of the page do. */
export async function registerUi(app: FastifyInstance): Promise<void> {
  await app.register(async (ui) => {
    ui.addHook("onRoute", (route) => {
      route.config = { ...route.config, public: true };
      route.schema = { ...route.schema, hide: true };
    });
    await ui.register(fastifyStatic, {
      root: folder,
      prefix: "/ui/",
      wildcard: false,
      redirect: false,
      cacheControl: false,
      setHeaders: (reply, path) => {
        for (const [name, value] of Object.entries(headers)) reply.setHeader(name, value);
        const isAsset = path.includes("/assets/");
        reply.setHeader("cache-control", isAsset ? `public, max-age=${assetMs / 1_000}, immutable` : "no-cache");
      },
    });
    ui.get("/ui", async (_request, reply) => reply.redirect("ui/"));
  });
}
