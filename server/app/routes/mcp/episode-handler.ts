/**
 * The endpoint of one live episode, for its agent. The tools are those of the environment. Rewards and info are not
 * shown, and no tool resets the episode: its owner reads the rewards from `/v1`.
 */
import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import { play, promptOfEpisode, toolsOfEpisode } from "../../../adapter/play.js";
import type { Episode } from "../../../episodes/episode/episode.js";
import type { Gym } from "../../../episodes/gym.js";
import { failedResult, observationBlocks, readResource, resourcesOf, type Told, type ToolHandler } from "./handler.js";

const outputSchema = {
  type: "object",
  properties: {
    observation: { type: "string" },
    step: { type: "integer", description: "Number of steps so far." },
    done: { type: "boolean", description: "Whether the task has ended." },
  },
  required: ["observation", "step", "done"],
} satisfies Tool["outputSchema"];

export class EpisodeHandler implements ToolHandler {
  constructor(
    private readonly gym: Gym,
    private readonly owner: string,
    private readonly episode: Episode,
    private readonly told: Told,
  ) {}

  get instructions(): string {
    return `${promptOfEpisode(this.episode)}\n\nThe resource transcript has the task, and all steps so far.`;
  }

  tools(): Tool[] {
    return toolsOfEpisode(this.episode).map(({ name, description, parameters }) => ({
      name,
      description,
      inputSchema: { ...parameters },
      outputSchema,
    }));
  }

  async call(name: string, given: Record<string, unknown>): Promise<CallToolResult> {
    try {
      const { episode, newest } = await play(this.gym, this.owner, this.episode, { name, arguments: given });
      const { observation, terminated, truncated } = newest;
      const structuredContent = { observation, step: episode.steps, done: terminated || truncated };
      return { content: observationBlocks(newest), structuredContent };
    } catch (error) {
      return failedResult(error as Error, this.told);
    }
  }

  resources() {
    return resourcesOf(this.episode.row.id, this.episode.spec.render !== undefined);
  }

  read(uri: string) {
    return readResource(this.gym, this.owner, uri, this.episode.row.id);
  }
}
