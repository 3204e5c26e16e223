/**
 * Empty Fastify routes with the schemas of `POST /v1/episodes/{episodeId}/step` and `POST /v1/rewards`. Fastify compiles
 * validation and serialisation from JSON Schema, which is faster than zod.
 */
import Fastify from "fastify";
import { z } from "zod";
import { EpisodeId } from "#palestra/server/operations/schemas/episode.js";
import { RewardBody, RewardReply } from "#palestra/server/operations/schemas/reward.js";
import { StepBody, StepReply } from "#palestra/server/operations/schemas/step.js";

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
app.post("/v1/rewards", {
  schema: { body: jsonSchema(RewardBody), response: { 200: jsonSchema(RewardReply) } },
  handler: async (request) => {
    const { environment, answers } = request.body as z.output<typeof RewardBody>;
    return { environment, results: answers.map(({ answer }) => ({ reward: 1, info: { expected: answer } })) };
  },
});
console.log(await app.listen({ host: "127.0.0.1", port: 0 }));
