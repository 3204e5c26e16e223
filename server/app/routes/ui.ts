/** `GET /ui/`: the studio, a web page that uses the gym's API (server/ui). */
import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import { GymError, shown } from "../../errors.js";

const folder = fileURLToPath(new URL("../../ui/", import.meta.url));

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
export function registerUi(app: FastifyInstance): void {
  const options = { config: { public: true }, schema: { hide: true } };
  app.get("/ui", options, async (_request, reply) => reply.redirect("ui/"));
  app.get<{ Params: { "*": string } }>("/ui/*", options, async (request, reply) => {
    // Loaded with the first request for the page.
    const { default: send } = await import("@fastify/send");
    const path = encodeURI(`/${request.params["*"]}`);
    const sent = await send(request.raw, path, { root: folder, cacheControl: false, dotfiles: "ignore" });
    if (sent.type !== "file") {
      sent.stream.destroy();
      throw new GymError("ROUTE_UNKNOWN", "a file of the studio", shown(request.url));
    }
    const isAsset = path.startsWith("/assets/");
    const cacheControl = isAsset ? `public, max-age=${assetMs / 1_000}, immutable` : "no-cache";
    reply.code(sent.statusCode).headers({ ...sent.headers, ...headers, "cache-control": cacheControl });
    return reply.send(sent.stream);
  });
}
