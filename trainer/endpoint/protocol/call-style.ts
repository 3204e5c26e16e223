/**
 * The way in which a chat template writes tool calls, found by rendering a call with it and reading the call back. Facts
 * of templates that differ, besides the form of a call:
 *
 * - DeepSeek's templates join the arguments to other text, so the arguments have to be text. Others write values.
 * - Mistral's templates refuse ids that do not have nine letters and digits.
 */
import type { ChatMessage } from "../../../native/api/index.js";
import { type CallForm, callForms } from "../../../server/formats/actions/call-forms.js";
import { spaced } from "../../../server/formats/actions/function-calling.js";
import { textHash } from "../../../server/formats/text-hash.js";
import type { Tool } from "./message.js";
import { CallReader } from "./tool-calls.js";

/** Placeholder messages that no template modifies. */
export const question: ChatMessage = { role: "user", content: "question" };
export const answer: ChatMessage = { role: "assistant", content: "answer" };
export const probe: Tool = {
  type: "function",
  function: {
    name: "probe",
    description: "probe",
    parameters: { type: "object", properties: { key: { type: "string" } } },
  },
};

export interface CallStyle {
  readonly form: CallForm;
  /** Whether the template takes the arguments of a call as text. */
  readonly writesText: boolean;
  /** Whether the template takes only ids of nine letters and digits. */
  readonly hasShortIds: boolean;
}

/** Renders messages. Throws if the template refuses them. */
export type Render = (messages: readonly ChatMessage[], tools: readonly Tool[]) => string;

const given = { key: "value" };
const id = "call_of_a_probe";
/** A reply with a call, and the result of the call. */
export const probeCall: ChatMessage = {
  role: "assistant",
  content: "",
  tool_calls: [{ id, type: "function", function: { name: probe.function.name, arguments: given } }],
};
export const probeResult: ChatMessage = {
  role: "tool",
  content: "result",
  tool_call_id: id,
  name: probe.function.name,
};

/**
 * Finds the style of a template.
 *
 * @param ends texts of the tokens that end a reply
 * @returns undefined if the template neither writes nor shows calls in a form that we read
 */
export function callStyleOf(render: Render, ends: readonly string[]): CallStyle | undefined {
  for (const hasShortIds of [false, true]) {
    for (const writesText of [false, true]) {
      const form = formWrittenBy(render, { writesText, hasShortIds }, ends);
      if (form) return { form, writesText, hasShortIds };
    }
  }
  return styleShownBy(render);
}

/** Finds the form that the description of tools asks for, if the template leaves calls out of earlier replies. */
function styleShownBy(render: Render): CallStyle | undefined {
  const writesCalls = rendered(render, [question, probeCall], []).includes(probe.function.name);
  const shown = writesCalls ? "" : rendered(render, [question], [probe]);
  const form = callForms.find(({ mark }) => shown.includes(mark));
  return form && { form, writesText: false, hasShortIds: false };
}

/** Converts a message to the template's style. */
export function inStyle(message: ChatMessage, { writesText, hasShortIds }: Omit<CallStyle, "form">): ChatMessage {
  const idOf = (id: unknown) => (hasShortIds && typeof id === "string" ? shortened(id) : id);
  if (message.role === "tool") return { ...message, tool_call_id: idOf(message.tool_call_id) };
  const calls = message.tool_calls as readonly TemplateCall[] | undefined;
  if (!calls) return message;
  const textOf = (values: unknown) => (writesText && typeof values !== "string" ? spaced(values) : values);
  const styled = calls.map(({ id, function: { name, arguments: values }, ...rest }) => ({
    ...rest,
    id: idOf(id),
    function: { name, arguments: textOf(values) },
  }));
  return { ...message, tool_calls: styled };
}

interface TemplateCall {
  readonly id: unknown;
  readonly function: { readonly name: string; readonly arguments: unknown };
}

/** Returns an id of nine letters and digits: the id itself if it has this form. */
function shortened(id: string): string {
  return /^[A-Za-z0-9]{9}$/.test(id) ? id : textHash(id).replace(/[-_]/g, "0").slice(0, 9);
}

function formWrittenBy(render: Render, style: Omit<CallStyle, "form">, ends: readonly string[]): CallForm | undefined {
  const said = inStyle(probeCall, style);
  for (const tools of [[], [probe]]) {
    const text = rendered(render, [question, said], tools);
    const after = text.slice(text.lastIndexOf(String(question.content)) + String(question.content).length);
    const form = callForms.find((each) => isReadBack(after, each, ends));
    if (form) return form;
  }
  return undefined;
}

function isReadBack(text: string, form: CallForm, ends: readonly string[]): boolean {
  const places = form.begins.map((mark) => text.indexOf(mark)).filter((at) => at >= 0);
  const name = text.indexOf(JSON.stringify(probe.function.name));
  if (places.length === 0 && form.isBare && name >= 0) places.push(text.lastIndexOf("{", name));
  if (places.length === 0) return false;
  const begun = text.slice(Math.max(0, Math.min(...places)));
  const stops = [...ends, ...(form.ends ?? [])].map((end) => begun.indexOf(end)).filter((at) => at >= 0);
  const { calls } = new CallReader(form, [probe]).read(begun.slice(0, Math.min(begun.length, ...stops)));
  const [call] = calls;
  return calls.length === 1 && call?.name === probe.function.name && call.arguments === JSON.stringify(given);
}

function rendered(render: Render, messages: readonly ChatMessage[], tools: readonly Tool[]): string {
  try {
    return render(messages, tools);
  } catch {
    return "";
  }
}
