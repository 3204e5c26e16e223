/** An episode as a conversation in OpenAI's message format. */

import { singleCall } from "../actions/function-calling.js";
import { functionOf } from "../actions/tool-call.js";
import type { Message } from "../dialogue.js";
import type { ExportEpisode } from "./episode.js";

/** Returns the first messages: system prompt and first observation. */
export function startOf({ prompt, opening }: Pick<ExportEpisode, "prompt" | "opening">): Message[] {
  return [
    { role: "system", content: prompt },
    { role: "user", content: opening },
  ];
}

/** Returns the replies and the observations between them, with calls as `tool_calls`. The last message is a reply. */
export function repliesOf({ turns, tools }: Pick<ExportEpisode, "turns" | "tools">): Message[] {
  return turns.flatMap(({ reply, observation }, at) => {
    const made = tools.length > 0 ? singleCall(reply) : undefined;
    const id = `call_${at}`;
    const said: Message = made
      ? {
          role: "assistant",
          content: made.content || null,
          tool_calls: [
            {
              id,
              type: "function",
              function: { name: made.call.name, arguments: JSON.stringify(made.call.arguments) },
            },
          ],
        }
      : { role: "assistant", content: reply };
    if (at === turns.length - 1) return [said];
    return [
      said,
      made ? { role: "tool", tool_call_id: id, content: observation } : { role: "user", content: observation },
    ];
  });
}

/** Returns the tools in the form of fine-tuning data; no property if the episode's actions are text. */
export function offeredTools({ tools }: Pick<ExportEpisode, "tools">) {
  return tools.length > 0 ? { tools: tools.map(functionOf) } : {};
}
