/** One turn of the model: the steps of one response, and what the agent reads after them. */
import type { z } from "zod";
import { type Move, MoveError } from "../../../adapter/moves.js";
import type { Played } from "../../../adapter/play.js";
import { shown } from "../../../errors.js";
import { infoOf, type StepReply, textOf } from "./results.js";
import type { StepBody } from "./schemas.js";

type Output = z.output<typeof StepBody>["response"]["output"];
type FunctionCall = Extract<Output[number], { call_id: unknown }>;
type Message = Extract<Output[number], { content: unknown }>;

/**
 * Takes a step, and returns it with its index.
 *
 * @param steps number of earlier steps of the turn
 * @throws {MoveError} if no tool takes the call
 */
type Act = (move: Move, steps: number) => Promise<{ played: Played; index: number }>;

export class Turn {
  /** Index of the step after the last one. Undefined before the first step. */
  next: number | undefined;
  private steps = 0;
  private reward = 0;
  private last: Played | undefined;
  private readonly outputs: { call_id: string; output: string }[] = [];

  constructor(private readonly act: Act) {}

  /** Takes a step for each function call, or one step with the text if there are no calls. */
  async take(output: Output): Promise<void> {
    const calls = output.filter((item): item is FunctionCall => item.type === "function_call");
    if (calls.length === 0) await this.step(textIn(output));
    for (const call of calls) this.outputs.push({ call_id: call.call_id, output: await this.outputOf(call) });
  }

  get reply(): StepReply {
    const { terminated = false, truncated = false } = this.last?.newest ?? {};
    const isText = this.outputs.length === 0;
    return {
      observation: isText && this.last ? textOf(this.last.newest) : null,
      reward: this.reward,
      terminated,
      truncated,
      info: { ...infoOf(this.last, this.next), ...(!isText && { tool_outputs: this.outputs }) },
    };
  }

  /** The model reads why a call took no step, and may call again. */
  private async outputOf({ name, arguments: text }: FunctionCall): Promise<string> {
    if (this.last?.newest.terminated || this.last?.newest.truncated)
      return "The episode has ended. It takes no more calls.";
    const given = objectIn(text);
    if (!given) return `expected the arguments of ${shown(name)} as a JSON object, but received ${shown(text)}`;
    try {
      return textOf((await this.step({ name, arguments: given })).newest);
    } catch (error) {
      if (error instanceof MoveError) return error.message;
      throw error;
    }
  }

  private async step(move: Move): Promise<Played> {
    const { played, index } = await this.act(move, this.steps);
    this.steps += 1;
    this.next = index + 1;
    this.reward += played.newest.reward;
    this.last = played;
    return played;
  }
}

/** Returns the text that the model wrote, as it is. Reasoning is not part of it. */
function textIn(output: Output): string {
  const messages = output.filter((item): item is Message => item.type === "message");
  return messages.flatMap(({ content }) => (typeof content === "string" ? [content] : content.map(partText))).join("");
}

function partText({ type, text = "" }: { type: string; text?: string | undefined }): string {
  return type === "output_text" ? text : "";
}

/** Returns null if the text is no JSON object. Models call functions without arguments with an empty text. */
function objectIn(text: string): Record<string, unknown> | null {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
