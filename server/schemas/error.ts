import { z } from "zod";
import { errorCodes } from "../errors.js";

export const ErrorBody = z
  .object({
    code: z.enum(errorCodes).describe("What happened; openapi/errors.md lists every code."),
    class: z
      .enum(["action", "environment", "infrastructure", "capacity"])
      .describe(
        "Whose failure it is: the caller's action, a bug in the environment, the gym's machinery, or a limit that passes.",
      ),
    message: z.string().describe("`expected …, but received …`"),
    details: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: "Error" });

export const ErrorReply = z.object({ error: ErrorBody }).meta({ id: "ErrorReply" });
