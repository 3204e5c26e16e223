import { z } from "zod";

/** An image. The field `data` is base64. */
export const Image = z.object({
  type: z.literal("image"),
  mediaType: z.enum(["image/png", "image/svg+xml"]),
  data: z.string(),
});

export const ObservationPart = z
  .union([Image, z.object({ type: z.literal("json"), data: z.unknown() })])
  .meta({ id: "ObservationPart" });

export const Info = z.record(z.string(), z.unknown()).describe("Facts for trainers and people. Not for the agent.");
