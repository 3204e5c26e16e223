/** The options of `palestra synth`. */
import { type Command, InvalidArgumentError } from "commander";
import { shown } from "../../errors.js";
import { wholeFrom } from "../terminal/arguments.js";
import { guide } from "../terminal/command-line.js";

interface SynthFlags {
  bundled: boolean;
  pages?: string;
  model?: string;
  count: number;
  concurrency: number;
  seed: number;
  out: string;
  json: boolean;
}

export function addSynthCommand(program: Command): void {
  const command = program
    .command("synth")
    .description("write questions with answers, proofs and plans as JSON lines")
    .option("--bundled", "about the bundled graph of public facts", false)
    .option("--pages <file>", "about your own pages, as JSON lines {id, title, text, links?}; needs --model")
    .option("--model <URL#model>", "OpenAI-compatible endpoint and model; OPENAI_API_KEY is its key")
    .option("--count <number>", "number of questions to keep, with --pages", wholeFrom(1), 100)
    .option("--concurrency <number>", "number of attempts in flight, with --pages", wholeFrom(1, 256), 4)
    .option("--seed <number>", "seed of the questions", wholeFrom(0), 0)
    .requiredOption("--out <file>", "file to write; with --pages, a second run resumes the first")
    .option("--json", "print the JSON object {out, questions}", false)
    .action(runSynth);
  guide(command, "envs/deepsearch/README.md", {
    "palestra synth --bundled --out questions.jsonl": "Write questions about the bundled facts",
    "palestra synth --pages pages.jsonl --model http://127.0.0.1:8000/v1#Qwen2.5-7B --out mine.jsonl":
      "Let a model write questions about your own pages",
  });
}

async function runSynth({ bundled, pages, model, ...options }: SynthFlags): Promise<void> {
  if (bundled === (pages !== undefined)) {
    const received = bundled ? "both" : "neither";
    throw new InvalidArgumentError(`expected either --bundled or --pages, but received ${received}`);
  }
  const { synthBundled, synthOwn } = await import("../handlers/synth.js");
  if (pages === undefined) return synthBundled(options);
  if (!/^https?:\/\/[^#\s]+#\S+$/.test(model ?? "")) {
    const received = model === undefined ? "no --model" : shown(model);
    throw new InvalidArgumentError(`expected --model URL#model, but received ${received}`);
  }
  await synthOwn({ ...options, pages, model: model as string });
}
