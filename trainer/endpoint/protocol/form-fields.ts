/** Reading of the parameters that hold a reply to a form, of OpenAI's and Anthropic's APIs and of vLLM's and SGLang's servers. */
import { z } from "zod";
import { EndpointError, shown } from "./errors.js";
import type { Tool } from "./message.js";
import { absent } from "./reading.js";
import { anyObject, type TextForm } from "./reply-form.js";

const Schema = z.union([z.record(z.string(), z.unknown()), z.boolean()], "expected a JSON Schema");
const jsonText = z.string().transform((text, context) => {
  try {
    return Schema.parse(JSON.parse(text));
  } catch {
    context.addIssue({ code: "custom", message: "expected a JSON Schema" });
    return z.NEVER;
  }
});

const JsonSchema = z.strictObject({
  name: z.string().optional(),
  description: z.string().nullish(),
  schema: Schema.nullish(),
  strict: z.boolean().nullish(),
});

const plainText = z.strictObject({ type: z.literal("text") });
const anyJson = z.strictObject({ type: z.literal("json_object") });
const oneOfFormats = "expected text, json_object or json_schema";

/** `response_format` of chat completions. */
export const ResponseFormat = z
  .discriminatedUnion(
    "type",
    [plainText, anyJson, z.strictObject({ type: z.literal("json_schema"), json_schema: JsonSchema })],
    {
      error: oneOfFormats,
    },
  )
  .nullish();

/** `text.format` of Responses, and the output format of Messages. */
export const FlatFormat = z
  .discriminatedUnion("type", [plainText, anyJson, JsonSchema.extend({ type: z.literal("json_schema") })], {
    error: oneOfFormats,
  })
  .nullish();

/** Returns the form of a format; undefined for text. @param param name of the parameter */
export function formatForm(
  format: z.output<typeof ResponseFormat> | z.output<typeof FlatFormat>,
  param: string,
): TextForm | undefined {
  if (format == null || format.type === "text") return undefined;
  if (format.type === "json_object") return { source: anyObject, param };
  const { schema, strict } = "json_schema" in format ? format.json_schema : format;
  if (schema == null) return { source: anyObject, param };
  const place = "json_schema" in format ? `${param}.json_schema.schema` : `${param}.schema`;
  // Without `strict`, OpenAI's API supports schemas that it cannot guarantee.
  return { source: { schema }, param: place, ...(strict !== true && { looser: { schema: {} } }) };
}

const choices = z.array(z.string().min(1)).min(1).nullish();
const Json = z.union([Schema, jsonText]).nullish();
/** Parameters of vLLM (`structured_outputs`, and its older `guided_` ones) and of SGLang. */
export const guidedShape = {
  structured_outputs: z
    .strictObject({
      json: Json,
      regex: z.string().nullish(),
      choice: choices,
      json_object: z.boolean().nullish(),
      grammar: absent,
      structural_tag: absent,
    })
    .nullish(),
  guided_json: Json,
  guided_regex: z.string().nullish(),
  guided_choice: choices,
  guided_grammar: absent,
  regex: z.string().nullish(),
  ebnf: absent,
};

type Guided = z.output<z.ZodObject<typeof guidedShape>>;

/** @throws {EndpointError} invalid_request: a request has two forms */
export function guidedForm(asked: Guided, format: TextForm | undefined): TextForm | undefined {
  const { structured_outputs: outputs } = asked;
  const json = (schema: unknown, param: string) => ({ source: { schema }, param });
  const pattern = (regex: string, param: string) => ({ source: { pattern: `^(?:${regex})$` }, param });
  const forms: (TextForm | undefined | null)[] = [
    format,
    outputs?.json != null ? json(outputs.json, "structured_outputs.json") : null,
    outputs?.regex != null ? pattern(outputs.regex, "structured_outputs.regex") : null,
    outputs?.choice != null ? { source: { choice: outputs.choice }, param: "structured_outputs.choice" } : null,
    outputs?.json_object === true ? { source: anyObject, param: "structured_outputs.json_object" } : null,
    asked.guided_json != null ? json(asked.guided_json, "guided_json") : null,
    asked.guided_regex != null ? pattern(asked.guided_regex, "guided_regex") : null,
    asked.guided_choice != null ? { source: { choice: asked.guided_choice }, param: "guided_choice" } : null,
    asked.regex != null ? pattern(asked.regex, "regex") : null,
  ];
  const [first, second] = forms.filter((form) => form != null);
  if (!second) return first;
  throw new EndpointError(
    "invalid_request",
    `expected one form of the reply, but received ${first?.param} and ${second.param}`,
    second.param,
  );
}

/** Choice of a tool in the form that all protocols share. @param names tools that may be called; undefined for all */
export interface ToolChoice {
  readonly mode: "auto" | "none" | "required";
  readonly names?: readonly string[] | undefined;
}

const Named = z.union([
  z
    .strictObject({ type: z.literal("function"), function: z.strictObject({ name: z.string() }) })
    .transform((choice) => choice.function.name),
  z.strictObject({ type: z.literal("function"), name: z.string() }).transform(({ name }) => name),
]);
const allowedTools = { mode: z.enum(["auto", "required"]), tools: z.array(Named) };

/** `tool_choice` of OpenAI's APIs: of Responses also without the inner `function` and `allowed_tools`. */
export const OpenAiToolChoice = z
  .union(
    [
      z.enum(["auto", "none", "required"]).transform((mode): ToolChoice => ({ mode })),
      Named.transform((name): ToolChoice => ({ mode: "required", names: [name] })),
      z
        .strictObject({ type: z.literal("allowed_tools"), allowed_tools: z.strictObject(allowedTools) })
        .transform(({ allowed_tools: { mode, tools } }): ToolChoice => ({ mode, names: tools })),
      z
        .strictObject({ type: z.literal("allowed_tools"), ...allowedTools })
        .transform(({ mode, tools }): ToolChoice => ({ mode, names: tools })),
    ],
    { error: "expected auto, none, required, a function with its name, or allowed_tools" },
  )
  .nullish();

/**
 * Checks a choice against the tools. `none` has been handled by offering no tools.
 *
 * @throws {EndpointError} invalid_request: the choice names no tool of the request, or demands a call without tools
 */
export function callableOf(choice: ToolChoice | null | undefined, tools: readonly Tool[]) {
  const known = tools.map((tool) => tool.function.name);
  const unknown = choice?.mode === "none" ? undefined : choice?.names?.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const message = `expected the name of one of the tools, ${known.join(", ") || "none"}, but received ${shown(unknown)}`;
    throw new EndpointError("invalid_request", message, "tool_choice");
  }
  const mustCall = choice?.mode === "required";
  if (mustCall && tools.length === 0) {
    throw new EndpointError(
      "invalid_request",
      "expected tools beside a tool_choice that demands a call, but received none",
      "tools",
    );
  }
  return { mustCall, callable: choice?.names };
}
