/**
 * The paths of the gym that the attacks of `flood` call, on Fastify alone: `node --import tsx test/bench/flood-bare.ts
 * ENVIRONMENTS`. Replies have the bytes of the gym's replies. @param ENVIRONMENTS file with the reply of `/v1/environments`
 */
import { readFileSync } from "node:fs";
import Fastify from "fastify";

const app = Fastify({ bodyLimit: 2 ** 22 });
const json = (path: string, file: string) => {
  const text = readFileSync(file, "utf8");
  app.get(path, (_request, reply) => reply.type("application/json").send(text));
};
json("/v1/environments", process.argv[2] as string);
json("/openapi.json", "openapi/gym.openapi.json");
app.get("/livez", () => ({ status: "ok", detail: "alive" }));
app.post("/v1/episodes", () => ({}));
app.post("/v1/episodes/:episodeId/step", (request) => {
  const { index, action } = request.body as { index: number; action: string };
  return { index, observation: action, reward: 0, terminated: false, truncated: false, info: {} };
});
console.log(await app.listen({ host: "127.0.0.1", port: 0 }));
