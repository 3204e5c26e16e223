import { z } from "zod";
import { shardCount } from "../../log/records/shards.js";

const count = z.int().min(0);
const shard = z
  .int()
  .min(0)
  .max(shardCount - 1);

const FleetGym = z
  .object({
    incarnation: count.describe("Number of this start of the gym. 0 for a gym that is alone."),
    address: z
      .string()
      .nullable()
      .describe("URL under which the other gyms reach this gym. Null for a gym that is alone."),
    isSelf: z.boolean().describe("Whether this gym has answered the call."),
    isDraining: z
      .boolean()
      .describe("Whether the gym drains, or does not listen yet: it gets no shards and no new episodes."),
    version: z.string().nullable().describe("Version of Palestra. Null until the gym has described itself."),
    environments: z.array(z.string()).describe("Environments that the gym can run, as `id@version`."),
    episodes: count.describe("Live episodes."),
    stepsPerSecond: z.number().min(0),
    freeSandboxes: count.describe("Number of further episodes that could hold a sandbox."),
    ageMs: z.number().min(0).describe("Milliseconds since the gym has renewed its membership."),
    shards: z.array(z.tuple([shard, shard])).describe("Shards of the gym: the first and the last of each range."),
  })
  .meta({ id: "FleetGym" });

export const Fleet = z
  .object({
    shards: z
      .literal(shardCount)
      .describe("Number of shards. The shard of the episode `ep-<key>-<nonce>` is `key % shards`."),
    durability: z
      .enum(["local", "replicated"])
      .describe("What an answered step survives: a crash of the log's machine, or with a standby its loss."),
    gyms: z.array(FleetGym).describe("The gyms that are live. The gym that has answered is the first."),
  })
  .meta({ id: "Fleet" });
