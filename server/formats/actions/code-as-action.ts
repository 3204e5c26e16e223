/**
 * Code as action (Wang et al. 2024), limited to one action: a reply contains one call of a tool in Python. The call is
 * parsed and never executed.
 */

import { counted } from "../counted.js";
import type { ActionFormat, Tool } from "./action-format.js";
import { isCallAlone, readCall } from "./function-calling.js";
import { PythonError, parsePythonCall, writePythonCall } from "./python-call.js";
import { actionOf, callOf, refusal } from "./tool-call.js";
import { answerOf } from "./written.js";

export const codeAsAction: ActionFormat = {
  name: "code",
  callsTools: true,
  opening: (prompt, tools) => ({ prompt: `${prompt.trimEnd()}\n\n${instructions(tools)}` }),
  read(text, tools) {
    const answer = answerOf(text);
    if (isCallAlone(answer)) return readCall(answer, tools);
    const blocks = [...answer.matchAll(/```[^\S\n]*(?:(?:python|py)[^\S\n]*)?\n([\s\S]*?)(?:```|$)/g)];
    if (blocks.length > 1) return refusal("one block of Python", `${blocks.length}`);
    try {
      const { name, positional, keyword } = parsePythonCall(blocks[0]?.[1] ?? answer);
      const tool = tools.find((each) => each.name === name);
      const names = Object.keys(tool?.parameters.properties ?? {});
      if (positional.length > names.length) {
        return refusal(`at most ${counted(names.length, "argument")} of ${name}`, `${positional.length}`);
      }
      const placed = positional.map((value, at) => [names[at], value] as const);
      const twice = placed.find(([parameter]) => parameter !== undefined && Object.hasOwn(keyword, parameter));
      if (twice) return refusal(`one value for ${twice[0]}`, "two");
      return actionOf({ name, arguments: { ...Object.fromEntries(placed), ...keyword } }, tools);
    } catch (error) {
      if (!(error instanceof PythonError)) throw error;
      return refusal(error.expected, error.received);
    }
  },
  write(action, tools) {
    const call = callOf(action, tools);
    return call && `\`\`\`python\n${writePythonCall(call.name, call.arguments)}\n\`\`\``;
  },
};

function instructions(tools: readonly Tool[]): string {
  return [
    "In place of any format of replies above: each reply is one block of Python that calls exactly one of the functions " +
      "below, with values as they are and no other code. Thoughts go into comments.",
    "```python\n# a thought\nfunction(argument=value)\n```",
    tools.map(signature).join("\n\n"),
  ].join("\n\n");
}

function signature({ name, description, parameters }: Tool): string {
  const properties = Object.entries(parameters.properties ?? {});
  const { required = Object.keys(parameters.properties ?? {}) } = parameters;
  const written = properties.map(
    ([parameter, schema]) => `${parameter}: ${pythonType(schema)}${required.includes(parameter) ? "" : " = None"}`,
  );
  const lines = properties.map(
    ([parameter, { description }]) => `    ${parameter}: ${description ?? "(not described)"}`,
  );
  return [`${name}(${written.join(", ")})`, `    ${description}`, ...lines].join("\n");
}

const pythonTypes: Readonly<Record<string, string>> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  object: "dict",
};

function pythonType({ type, items }: Readonly<Record<string, unknown>>): string {
  if (type !== "array") return pythonTypes[String(type)] ?? "object";
  const { type: of } = (items ?? {}) as { type?: unknown };
  return pythonTypes[String(of)] ? `list[${pythonTypes[String(of)]}]` : "list";
}
