/** Number types that several settings share. */
import { z } from "zod";

export const whole = (least: number) => z.int().min(least);
export const positive = z.number().positive();
export const share = z.number().min(0).max(1);

/**
 * Converts a parser to a schema refinement. The parser's error message becomes the reason why the setting is refused.
 */
export function checkedBy(parse: (text: string) => unknown): (text: string, context: z.RefinementCtx<string>) => void {
  return (text, context) => {
    try {
      parse(text);
    } catch (error) {
      context.addIssue({ code: "custom", message: (error as Error).message });
    }
  };
}
