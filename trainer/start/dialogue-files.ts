/**
 * Reads dialogues for cloning from files with one JSON object per line, in the formats that `palestra export` writes:
 * `openai` (messages of OpenAI's fine-tuning) and `agentgym` (conversations of AgentTraj).
 */
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { z } from "zod";
import type { Tool } from "../../server/formats/actions/action-format.js";
import { writtenCall } from "../../server/formats/actions/function-calling.js";
import { TrainerError } from "../errors.js";
import type { Dialogue, DialogueTurn } from "./dialogues.js";

/** A message in the order of the conversation. */
interface Said {
  readonly who: "prompt" | "given" | "reply";
  readonly text: string;
  /** False for a reply that is not cloned. */
  readonly isLearnt?: boolean;
}

const Call = z.object({ function: z.object({ name: z.string(), arguments: z.string() }) });
const Message = z.object({
  role: z.enum(["system", "developer", "user", "tool", "assistant"]),
  content: z.string().nullish(),
  tool_calls: z.array(Call).max(1, "expected one call in a reply").nullish(),
  /** OpenAI's fine-tuning leaves out replies with the weight 0. */
  weight: z.union([z.literal(0), z.literal(1)]).optional(),
});
const ToolEntry = z.object({
  function: z.object({
    name: z.string(),
    description: z.string().default(""),
    parameters: z.record(z.string(), z.unknown()),
  }),
});
const Openai = z.object({ messages: z.array(Message), tools: z.array(ToolEntry).optional() });
const Turn = z.object({ from: z.enum(["human", "gpt"]), loss: z.boolean().nullish(), value: z.string() });
const Agentgym = z.object({ conversations: z.array(Turn) });

/**
 * Reads the dialogues of files. Lines without a reply to clone have no turns.
 *
 * @throws {TrainerError} DIALOGUES_INVALID: a file cannot be read, or a line is no dialogue
 */
export async function readDialogues(paths: readonly string[]): Promise<Dialogue[]> {
  const dialogues: Dialogue[] = [];
  for (const path of paths) {
    try {
      let number = 0;
      for await (const line of createInterface({
        input: createReadStream(path),
        crlfDelay: Number.POSITIVE_INFINITY,
      })) {
        number += 1;
        if (line.trim() !== "") dialogues.push(dialogueOf(line, `line ${number} of ${path}`));
      }
    } catch (error) {
      if (error instanceof TrainerError) throw error;
      throw invalid(`dialogues in ${path}`, (error as Error).message);
    }
  }
  return dialogues;
}

function dialogueOf(line: string, place: string): Dialogue {
  let row: unknown;
  try {
    row = JSON.parse(line);
  } catch (error) {
    throw invalid(`one JSON object in ${place}`, (error as Error).message);
  }
  const keys = typeof row === "object" && row !== null ? Object.keys(row) : [];
  if (keys.includes("messages")) return ofMessages(checked(Openai, row, place), place);
  if (keys.includes("conversations")) return ofConversation(checked(Agentgym, row, place), place);
  throw invalid(`messages or conversations in ${place}`, keys.join(", ") || JSON.stringify(row));
}

function ofMessages({ messages, tools }: z.output<typeof Openai>, place: string): Dialogue {
  const said = messages.map(({ role, content, tool_calls: calls, weight }): Said => {
    if (role === "system" || role === "developer") return { who: "prompt", text: content ?? "" };
    if (role !== "assistant") return { who: "given", text: content ?? "" };
    const written = (calls ?? []).map(({ function: { name, arguments: given } }) =>
      writtenCall({ name, arguments: argumentsOf(given, place) }),
    );
    const text = [content ?? "", ...written].filter((part) => part !== "").join("\n");
    return { who: "reply", text, isLearnt: weight !== 0 };
  });
  const offered = tools?.map(({ function: tool }) => ({ ...tool, action: "" }) as unknown as Tool);
  return { ...alternating(said, place), ...(offered && { tools: offered }) };
}

/** AgentTraj's first message is the prompt if the reply to it only acknowledges it, without a loss. */
function ofConversation({ conversations }: z.output<typeof Agentgym>, place: string): Dialogue {
  const [first, second] = conversations;
  const hasPrompt = first?.from === "human" && second?.from === "gpt" && second.loss === false;
  const said = conversations.slice(hasPrompt ? 2 : 0).map(({ from, loss, value }): Said => {
    return from === "human" ? { who: "given", text: value } : { who: "reply", text: value, isLearnt: loss !== false };
  });
  return alternating(hasPrompt ? [{ who: "prompt", text: first.value }, ...said] : said, place);
}

/** Divides a conversation into a prompt and turns. What follows the last reply is left out. */
function alternating(said: readonly Said[], place: string): Dialogue {
  const start = said.findIndex(({ who }) => who !== "prompt");
  const prompt = said.slice(0, start).map(({ text }) => text);
  const turns: DialogueTurn[] = [];
  let given: string[] = [];
  for (const { who, text, isLearnt = true } of said.slice(start)) {
    if (who === "prompt") throw invalid(`instructions only at the beginning, in ${place}`, "others after a message");
    if (who === "given") given.push(text);
    else if (given.length === 0) throw invalid(`a message of the user before each reply, in ${place}`, "a reply");
    else {
      turns.push({ observation: given.join("\n"), reply: text, ...(!isLearnt && { isLearnt }) });
      given = [];
    }
  }
  const isCloned = turns.some((turn) => turn.isLearnt !== false);
  return { prompt: prompt.join("\n\n"), turns: isCloned ? turns : [] };
}

function argumentsOf(text: string, place: string): Record<string, unknown> {
  try {
    const given: unknown = JSON.parse(text);
    if (typeof given === "object" && given !== null && !Array.isArray(given)) return given as Record<string, unknown>;
  } catch {
    // Not JSON.
  }
  throw invalid(`a call whose arguments are a JSON object, in ${place}`, text);
}

function checked<Shape extends z.ZodType>(shape: Shape, row: unknown, place: string): z.output<Shape> {
  const parsed = shape.safeParse(row);
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0] as z.core.$ZodIssue;
  throw invalid(`a dialogue in ${place}`, `${path.join(".")}: ${message}`);
}

function invalid(expected: string, received: string): TrainerError {
  const formats = "Lines are in the format openai or agentgym of `palestra export`.";
  return new TrainerError("DIALOGUES_INVALID", `expected ${expected}, but received ${received}. ${formats}`);
}
