/** Parses the address of a Docker engine, as Docker's own client does with DOCKER_HOST and DOCKER_CERT_PATH. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SandboxError } from "../sandbox.js";

export type Endpoint =
  | { socketPath: string }
  | { protocol: "http" | "https"; host: string; port: number; ca?: Buffer; cert?: Buffer; key?: Buffer };

const defaultAddress = "unix:///var/run/docker.sock";

/**
 * Returns the addresses of the engines to use: the addresses in the settings, else DOCKER_HOST, else this machine's
 * socket.
 */
export function engineAddresses(set: readonly string[] = []): readonly string[] {
  return set.length > 0 ? set : [process.env.DOCKER_HOST || defaultAddress];
}

/**
 * Parses an address. For TLS, the function reads ca.pem, cert.pem and key.pem from DOCKER_CERT_PATH.
 *
 * @param address `unix:///path`, `tcp://host:port`, `http://host:port` or `https://host:port`
 * @throws {SandboxError} REFUSED for any other address
 */
export function endpointOf(address: string, environment: NodeJS.ProcessEnv = process.env): Endpoint {
  if (address.startsWith("unix://")) return { socketPath: address.slice("unix://".length) };
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !["tcp:", "http:", "https:"].includes(url.protocol) || url.hostname === "") throw unusable(address);
  const { DOCKER_TLS_VERIFY, DOCKER_CERT_PATH } = environment;
  const isSecure = url.protocol === "https:" || (url.protocol === "tcp:" && Boolean(DOCKER_TLS_VERIFY));
  const port = Number(url.port) || (isSecure ? 2376 : 2375);
  if (!isSecure) return { protocol: "http", host: url.hostname, port };
  return { protocol: "https", host: url.hostname, port, ...certificates(DOCKER_CERT_PATH) };
}

/** @throws {SandboxError} REFUSED */
function certificates(folder: string | undefined): { ca?: Buffer; cert?: Buffer; key?: Buffer } {
  if (!folder) return {};
  try {
    const [ca, cert, key] = ["ca", "cert", "key"].map((name) => readFileSync(join(folder, `${name}.pem`)));
    return { ca: ca as Buffer, cert: cert as Buffer, key: key as Buffer };
  } catch (error) {
    const expected = `ca.pem, cert.pem and key.pem in DOCKER_CERT_PATH (${folder})`;
    throw new SandboxError("REFUSED", expected, (error as Error).message, undefined, { cause: error });
  }
}

function unusable(address: string): SandboxError {
  const expected = "an engine address such as unix:///var/run/docker.sock or tcp://host:2375";
  return new SandboxError("REFUSED", expected, JSON.stringify(address));
}
