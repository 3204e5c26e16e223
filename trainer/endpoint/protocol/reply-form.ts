/**
 * The form to which a request holds its reply: a call of a tool, JSON of a schema, or one of several texts. The engine
 * samples the reply under a grammar of that form, and records the log-probabilities of what it sampled from.
 */
import { Grammar, type GrammarSource, NativeError } from "../../../native/api/index.js";
import type { CallForm, WrittenCalls } from "../../../server/formats/actions/call-forms.js";
import { EndpointError } from "./errors.js";
import type { Tool } from "./message.js";

type HeldForm = CallForm & { readonly written: WrittenCalls };

/** Form of the text of a reply. */
export interface TextForm {
  readonly source: GrammarSource;
  /** Form that is used if sampling cannot be held to the first one; undefined if the request has to fail then. */
  readonly looser?: GrammarSource;
  /** Parameter of the request that has the form, such as `response_format`. */
  readonly param: string;
}

export interface ReplyForm {
  /** Names of the tools that the reply may call; undefined for all. */
  readonly callable?: readonly string[] | undefined;
  readonly mustCall: boolean;
  /** Names of the tools whose arguments have to be valid even where the reply need not call a tool. */
  readonly strictTools: readonly string[];
  readonly text?: TextForm | undefined;
}

export const anyObject: GrammarSource = { schema: { type: "object" } };

/** Limit on the calls of one reply. */
const mostCalls = 16;

/** A grammar, and the names of parameters that it leaves out. */
export interface HeldReply {
  readonly grammar: Grammar | undefined;
  readonly ignored: readonly string[];
}

/**
 * Returns the grammar of a reply; undefined if the reply is free.
 *
 * @param tools tools that the request offers
 * @param formOf returns the form of the model's calls
 * @throws {EndpointError} invalid_request: sampling cannot be held to a schema; unsupported_parameter: nor to calls
 */
export function heldReply(
  form: ReplyForm,
  { tools, isOneCallAtMost }: { readonly tools: readonly Tool[]; readonly isOneCallAtMost: boolean },
  formOf: () => CallForm,
): HeldReply {
  const { callable, mustCall, strictTools, text } = form;
  const offered = callable ? tools.filter((tool) => callable.includes(tool.function.name)) : tools;
  const isLimited = offered.length < tools.length;
  const isStrict = strictTools.length > 0;
  if (!mustCall && !text && !isLimited && !isStrict) return { grammar: undefined, ignored: [] };
  const ignored: string[] = [];
  const choices: GrammarSource[] = [];
  if (text && !mustCall) choices.push(textOf(text, ignored));
  if (tools.length > 0) {
    const written = formOf();
    if (!isHeld(written)) {
      if (mustCall || isLimited || text) throw unheld(written.name, { mustCall, isLimited, text });
      return { grammar: undefined, ignored: strictTools.map((name) => `tools[${name}].strict`) };
    }
    const calls = offered.map((tool) => callOf(tool, strictTools, ignored));
    const mayTalk = !mustCall && !text;
    choices.push(...repliesOf(written, calls, { mayTalk, isOneCallAtMost }));
  }
  return { grammar: kept({ choice: choices }), ignored };
}

function isHeld(form: CallForm): form is HeldForm {
  return form.written !== undefined;
}

/** Returns the refusal of a request whose calls have to be held to a form. @param name of the model's form */
function unheld(
  name: string,
  { mustCall, isLimited, text }: Pick<ReplyForm, "mustCall" | "text"> & { isLimited: boolean },
): EndpointError {
  const reason = `since no reply can be held to calls in the form of ${name}`;
  if (text && !mustCall && !isLimited) {
    const message = `expected no tools beside ${text.param}, ${reason}, but received tools`;
    return new EndpointError("unsupported_parameter", message, text.param);
  }
  const received = mustCall ? "a choice that demands a call" : "a choice of some tools";
  const message = `expected auto or none, ${reason}, but received ${received}`;
  return new EndpointError("unsupported_parameter", message, "tool_choice");
}

function textOf({ source, looser, param }: TextForm, ignored: string[]): GrammarSource {
  const refusal = refusalOf(source);
  if (!refusal) return source;
  if (looser === undefined) throw new EndpointError("invalid_request", `${param}: ${refusal}`, param);
  ignored.push(param);
  return looser;
}

/** A call of a tool, and the grammar of its arguments. */
interface HeldCall {
  readonly name: string;
  readonly values: GrammarSource;
}

/** Arguments of a tool that is not strict may be any object if sampling cannot be held to their schema. */
function callOf({ function: { name, parameters } }: Tool, strictTools: readonly string[], ignored: string[]): HeldCall {
  const param = `tools[${name}].parameters`;
  const source: GrammarSource = parameters ? { schema: { type: "object", ...parameters } } : anyObject;
  const looser = strictTools.includes(name) ? {} : { looser: anyObject };
  return { name, values: textOf({ source, param, ...looser }, ignored) };
}

/** Returns the replies with calls, and those without if the reply may talk: no mark then begins a call of another form. */
function repliesOf(
  { written, begins, isBare, most = mostCalls }: HeldForm,
  held: readonly HeldCall[],
  { mayTalk, isOneCallAtMost }: { readonly mayTalk: boolean; readonly isOneCallAtMost: boolean },
): GrammarSource[] {
  const { begin, end, after, between } = written;
  const call: GrammarSource = {
    choice: held.map(({ name, values }) => ({ sequence: [written.before(name), values, after] })),
  };
  const limit = isOneCallAtMost || between === undefined ? 1 : most;
  const more: GrammarSource = { repeat: { sequence: [between ?? "", call] }, least: 0, most: limit - 1 };
  const calls: GrammarSource = { sequence: [begin, call, more, end] };
  if (!mayTalk) return held.length > 0 ? [calls] : [];
  const [mark = ""] = begins;
  if (isBare || mark === "") return [notBare, ...(held.length > 0 ? [calls] : [])];
  const first = held.map(({ name, values }): GrammarSource => {
    const afterMark = `${begin}${written.before(name)}`.slice(mark.length);
    return { sequence: [afterMark, values, after] };
  });
  const talk: GrammarSource = { without: mark };
  return held.length > 0 ? [talk, { sequence: [{ until: mark }, { choice: first }, more, end] }] : [talk];
}

/** Text that does not begin as JSON does. */
const notBare: GrammarSource = { choice: ["", { pattern: "^[^{\\s][^]*$" }] };

/** Grammars of the last requests, by their sources; the most recently used one comes last. */
const recent = new Map<string, Grammar | string>();
const mostRecent = 128;

function kept(source: GrammarSource): Grammar {
  const known = compiled(source);
  if (typeof known === "string") throw new EndpointError("invalid_request", known);
  return known;
}

function refusalOf(source: GrammarSource): string | undefined {
  const known = compiled(source);
  return typeof known === "string" ? known : undefined;
}

/** @returns the grammar, or the reason why there is none */
function compiled(source: GrammarSource): Grammar | string {
  const key = JSON.stringify(source);
  const known = recent.get(key) ?? compile(source);
  recent.delete(key);
  recent.set(key, known);
  const [oldest] = recent.keys();
  if (recent.size > mostRecent && oldest !== undefined) recent.delete(oldest);
  return known;
}

function compile(source: GrammarSource): Grammar | string {
  try {
    return new Grammar(source);
  } catch (error) {
    if (error instanceof NativeError) return error.message;
    throw error;
  }
}
