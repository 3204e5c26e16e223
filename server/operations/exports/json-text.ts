import type { z } from "zod";
import type { Tool } from "../schemas/environment.js";

export const json = (value: unknown): string => JSON.stringify(value);

/** Returns a tool in the form of OpenAI's function definitions. */
export function functionOf({ name, description, parameters }: z.input<typeof Tool>) {
  return { type: "function", function: { name, description, parameters } };
}
