/** Episodes of the fixture `painter`, for tests of exports. */
import type { LightMyRequestResponse } from "fastify";
import { expect } from "vitest";
import type { TestGym } from "../../../support/gym.js";

export const hostile = `</script><!-- <script>window.ran = 1</script> \u2028 ${"x".repeat(1_000)} é 😀`;

/** Plays an episode, and returns its id. */
export async function paint(gym: TestGym, actions: readonly string[], index = 0, token?: string): Promise<string> {
  const { episodeId } = await gym.call("create", { environment: "painter", task: { index } }, { token });
  for (const [at, action] of actions.entries()) await gym.step(episodeId, at, action, { token });
  return episodeId;
}

export async function download(gym: TestGym, episodeId: string, format: string): Promise<LightMyRequestResponse> {
  const reply = await gym.app.inject(`/v1/episodes/${episodeId}/export?format=${format}`);
  expect(reply.statusCode, reply.payload.slice(0, 500)).toBe(200);
  return reply;
}
