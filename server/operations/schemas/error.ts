import { z } from "zod";
import { errorCodes } from "../../errors.js";

export const ErrorBody = z
  .object({
    code: z.enum(errorCodes).describe("Code of the error. openapi/errors.md lists all codes."),
    class: z
      .enum(["action", "environment", "infrastructure", "capacity"])
      .describe(
        "Cause of the error. `action`: a mistake of the caller. `environment`: a bug in the environment. `infrastructure`: a failure of the gym's machinery. `capacity`: a limit is reached, so try again later.",
      ),
    message: z.string().describe("`expected …, but received …`, or a statement such as `The server is shutting down.`"),
    details: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: "Error" });

export const ErrorReply = z.object({ error: ErrorBody }).meta({ id: "ErrorReply" });
