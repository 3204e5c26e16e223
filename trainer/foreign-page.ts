/** Recognizes requests of web pages that a browser on this machine has loaded from somewhere else. */
import type { IncomingHttpHeaders } from "node:http";
import { isLoopback } from "../server/formats/loopback.js";

/**
 * Describes the part of a request by which it comes from a foreign web page, or returns undefined. Such a page reaches a
 * server on a loopback address if the server needs no key: it sends a request to the address, or gives its own host
 * name that address (DNS rebinding).
 */
export function foreignPart({ host = "", origin, ...others }: IncomingHttpHeaders): string | undefined {
  const name = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : "";
  if (!isLoopback(name)) return `the host ${host.slice(0, 200)}`;
  if (origin !== undefined && origin !== `http://${host}`) return `the origin ${origin.slice(0, 200)}`;
  const site = others["sec-fetch-site"];
  return site === "cross-site" || site === "same-site" ? `a request of a ${site} page` : undefined;
}
