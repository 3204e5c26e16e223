/** Checks the arguments of tools against their JSON Schemas. */
import { Ajv, type ValidateFunction } from "ajv";
import type { Tool } from "../../envs/env.js";
import { shortened } from "../errors.js";

const ajv = new Ajv({ strict: false, validateFormats: false, logger: false });
const validators = new WeakMap<Tool, ValidateFunction>();

/** Returns what is wrong with the arguments of a call in a few words, or null. */
export function faultIn(tool: Tool, given: unknown): string | null {
  const fits = validatorOf(tool);
  if (fits(given)) return null;
  const { instancePath = "", message = "do not fit" } = fits.errors?.[0] ?? {};
  const place = instancePath === "" ? "the arguments" : shortened(instancePath.slice(1), 100);
  return `${place} ${message}`;
}

/** The conformance suite has checked that the schemas of tools are valid. */
function validatorOf(tool: Tool): ValidateFunction {
  let validator = validators.get(tool);
  if (!validator) {
    validator = ajv.compile(tool.parameters);
    validators.set(tool, validator);
  }
  return validator;
}
