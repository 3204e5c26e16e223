import { z } from "zod";

export const ObservationPart = z
  .union([
    z.object({ type: z.literal("image"), mediaType: z.enum(["image/png", "image/svg+xml"]), data: z.string() }),
    z.object({ type: z.literal("json"), data: z.unknown() }),
  ])
  .meta({ id: "ObservationPart" });

export const Info = z.record(z.string(), z.unknown()).describe("Facts for trainers and people, not for the agent.");
