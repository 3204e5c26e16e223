/**
 * A Fastify route with the schemas of `POST /v1/episodes/{episodeId}/step` and nothing behind it: validation and
 * serialisation compiled by Fastify itself from the JSON Schema, which is faster than from zod.
 */
import Fastify from "fastify";
import { z } from "zod";
import { EpisodeId } from "#palestra/server/schemas/episode.js";
import { StepBody, StepReply } from "#palestra/server/schemas/step.js";

const jsonSchema = (schema: z.ZodType) => z.toJSONSchema(schema, { target: "draft-7" });

const app = Fastify();
app.post("/v1/episodes/:episodeId/step", {
  schema: {
    params: jsonSchema(z.object({ episodeId: EpisodeId })),
    body: jsonSchema(StepBody),
    response: { 200: jsonSchema(StepReply) },
  },
  handler: async (request) => {
    const { index, action } = request.body as z.output<typeof StepBody>;
    return { index, observation: action, reward: 0, terminated: false, truncated: false, info: {} };
  },
});
console.log(await app.listen({ host: "127.0.0.1", port: 0 }));
