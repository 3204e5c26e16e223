/** Facts about the requests of a route. A fleet reads them to forward a request to the gym that owns the episode. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

declare module "fastify" {
  interface FastifyContextConfig {
    about?: AboutRequests;
  }
}

export interface AboutRequests {
  /** Returns the key of a request's episode or session, or null if the request names none. */
  keyOf(request: FastifyRequest): number | null;
  /** Whether a request may be carried out twice, other than by its method. Default: no. */
  mayRepeat?(request: FastifyRequest): boolean;
  /** Is told of the reply to each request that another gym answers. */
  onPass?: { pass(reply: FastifyReply): void };
}

/** Tells about the requests to all routes that a scope registers from now on. */
export function tellAbout(scope: FastifyInstance, about: AboutRequests): void {
  scope.addHook("onRoute", (route) => {
    route.config = { ...route.config, about };
  });
}
