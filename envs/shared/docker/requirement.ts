/** Availability check for environments that need an image in a Docker engine. */
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { endpointOf, engineAddresses } from "../../../sandboxes/docker/endpoint.js";

const probeMs = 700;

/**
 * Checks that the Docker engine answers and has an image. DOCKER_HOST selects the engine; the default is the local
 * engine.
 *
 * @param image `name:tag`
 */
export function dockerImage(image: string): Promise<{ available: boolean; detail: string }> {
  return new Promise((answer) => {
    const missing = (error: Error) => answer({ available: false, detail: `Docker: ${error.message}` });
    try {
      const endpoint = endpointOf(engineAddresses()[0] as string);
      const isSecure = "protocol" in endpoint && endpoint.protocol === "https";
      const address = "protocol" in endpoint ? { ...endpoint, protocol: `${endpoint.protocol}:` } : endpoint;
      const options = { ...address, path: `/images/${image}/json`, timeout: probeMs };
      const call = (isSecure ? httpsRequest : httpRequest)(options, (response) => {
        response.resume();
        const available = response.statusCode === 200;
        answer({ available, detail: available ? "Docker" : `Docker: ${response.statusCode} for the image ${image}` });
      });
      call.on("timeout", () => {
        // On a busy machine an engine that has taken the connection may answer later.
        if (call.socket?.connecting === false) answer({ available: true, detail: "Docker, slow to answer" });
        call.destroy(new Error(`no answer within ${probeMs} ms`));
      });
      call.on("error", missing);
      call.end();
    } catch (error) {
      missing(error as Error);
    }
  });
}
