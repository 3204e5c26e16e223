/** A very small model with a chat template like Qwen's: system messages, tools and their results. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type ChatMessage, type Engine, Tokenizer } from "#palestra/native/api/index.js";
import { writeDefaultModel } from "#palestra/trainer/data/default-model.js";
import { buildTokenizer } from "#palestra/trainer/data/default-tokenizer.js";
import { clone, type Example } from "#palestra/trainer/start/cloning.js";

/** Follows Qwen2.5's template, with the markers of the default tokenizer. */
const template = [
  "{%- if tools -%}{{ '<|observation|>system\\n' }}",
  "{%- for tool in tools -%}{{ tool | tojson + '\\n' }}{%- endfor -%}{{ '<|end|>' }}{%- endif -%}",
  "{%- for message in messages -%}",
  "{%- if message.role == 'assistant' -%}{{ '<|action|>' + message.content }}",
  "{%- if message.tool_calls -%}{%- for call in message.tool_calls -%}",
  `{{ '\\n<tool_call>\\n{"name": "' + call.function.name + '", "arguments": ' + (call.function.arguments | tojson) + '}\\n</tool_call>' }}`,
  "{%- endfor -%}{%- endif -%}{{ '<|end|>' }}",
  "{%- elif message.role == 'tool' -%}{{ '<|observation|>result ' + message.content + '<|end|>' }}",
  "{%- else -%}{{ '<|observation|>' + message.role + ' ' + message.content + '<|end|>' }}{%- endif -%}",
  "{%- endfor -%}",
  "{%- if add_generation_prompt -%}{{ '<|action|>' }}{%- endif -%}",
].join("");

const roles = [
  "system",
  "user",
  "result",
  '\n<tool_call>\n{"name": "',
  '", "arguments": {"',
  '": "',
  '"}}\n</tool_call>',
];

/** A conversation. The model is cloned on the assistant's messages. */
export interface Dialogue {
  messages: ChatMessage[];
  tools?: unknown[];
  /** Chat template of this dialogue. Default: the model's own. */
  template?: string;
}

export interface AgentModelOptions {
  texts: readonly string[];
  context?: number;
  /** Dialogues on which the model is cloned. Without any, its weights are random. */
  dialogues?: readonly Dialogue[];
  epochs?: number;
}

/** @returns the folder of the model */
export async function writeAgentModel(engine: Engine, folder: string, options: AgentModelOptions): Promise<string> {
  const { texts, context = 512, dialogues = [], epochs = 20 } = options;
  const { definition, config } = buildTokenizer([...roles, ...texts], {
    leastWordCount: 1,
    leastPhraseCount: 1e9,
    leastNameCount: 1e9,
  });
  const tokenizer = new Tokenizer(definition, { ...config, chat_template: template });
  const initial = dialogues.length > 0 ? join(folder, "initial") : folder;
  mkdirSync(initial, { recursive: true });
  await writeDefaultModel(engine, tokenizer, { hiddenSize: 64, layers: 2, context }, 3, initial);
  if (dialogues.length === 0) return folder;
  const model = await engine.loadModel(initial);
  const trainer = await model.trainer({ maxTokens: 2048 });
  const examples = dialogues.map(({ template: own = template, ...dialogue }) =>
    exampleOf(new Tokenizer(definition, { ...config, chat_template: own }), dialogue),
  );
  const settings = {
    seed: 1,
    clone_epochs: epochs,
    clone_lr: 3e-3,
    clone_tokens_per_step: 256,
    clone_observation_weight: 0,
    max_tokens_per_mb: 2048,
    ...{ beta1: 0.9, beta2: 0.99, eps: 1e-8, weight_decay: 0.01, gradient_clipping: 1 },
  };
  await clone(trainer, examples, settings, new AbortController().signal);
  await model.save(folder);
  model.close();
  return folder;
}

function exampleOf(tokenizer: Tokenizer, { messages, tools }: Dialogue): Example {
  const render = (count: number, addGenerationPrompt: boolean) => {
    if (count === 0) return "";
    return (
      tokenizer.chatTemplate?.render(messages.slice(0, count), { addGenerationPrompt, ...(tools && { tools }) }) ?? ""
    );
  };
  const tokens: number[] = [];
  const mask: number[] = [];
  let said = "";
  const add = (text: string, one: 0 | 1) => {
    const ids = tokenizer.encode(text, { addSpecialTokens: false });
    tokens.push(...ids);
    mask.push(...new Array(ids.length).fill(one));
    said += text;
  };
  for (const [at, { role }] of messages.entries()) {
    if (role !== "assistant") continue;
    add(render(at, true).slice(said.length), 0);
    add(render(at + 1, false).slice(said.length), 1);
  }
  return { tokens: Int32Array.from(tokens), mask: Uint8Array.from(mask) };
}
