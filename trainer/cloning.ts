/**
 * Behaviour cloning: from experts' dialogues to the weights that reinforcement learning begins with. The model learns the
 * experts' replies and, with a smaller weight, what environments say: a model that begins at nothing learns from that to
 * read and to copy.
 */
import type { Trainer } from "../native/index.js";
import type { Dialogue } from "./data/dialogues.js";
import { packOf } from "./data/packing.js";
import { keyedRandom } from "./keyed-random.js";
import { answererOf, type ChatFormat } from "./policy/chat-format.js";

export interface CloningSettings {
  readonly seed: number;
  readonly clone_epochs: number;
  /** The highest, after a warm-up of a twentieth of the steps; from there linearly down to a tenth. */
  readonly clone_lr: number;
  /** Tokens of an optimiser step, about. */
  readonly clone_tokens_per_step: number;
  /** Of the mean loss over what environments say; that of replies is 1. */
  readonly clone_observation_weight: number;
}

/** A dialogue as tokens: `mask` is 1 on what the expert wrote. (tokens) each */
export interface Example {
  readonly tokens: Int32Array;
  readonly mask: Uint8Array;
}

export interface CloningStep {
  readonly epoch: number;
  readonly step: number;
  readonly steps: number;
  /** Nats a token, of replies and observations as they are weighed. */
  readonly loss: number;
  readonly tokens: number;
}

export function exampleOf(format: ChatFormat, { prompt, tools, turns }: Dialogue): Example {
  const tokens: number[] = [];
  const mask: number[] = [];
  for (const [at, { observation, reply }] of turns.entries()) {
    const before = turns[at - 1]?.reply;
    const given =
      before === undefined
        ? format.opening(prompt, observation, { tools })
        : format.bridge(observation, tokens.at(-1), answererOf(before, tools));
    const said = format.reply(reply);
    tokens.push(...given, ...said);
    mask.push(...new Array(given.length).fill(0), ...new Array(said.length).fill(1));
  }
  return { tokens: Int32Array.from(tokens), mask: Uint8Array.from(mask) };
}

/** @param examples at least one; those longer than a pack of the trainer are the caller's to leave out */
export async function clone(
  trainer: Trainer,
  examples: readonly Example[],
  settings: CloningSettings,
  signal: AbortSignal,
  onStep: (step: CloningStep) => void = () => {},
): Promise<void> {
  const epochs = Array.from({ length: settings.clone_epochs }, (_, epoch) => epochOf(examples, settings, epoch));
  const steps = epochs.reduce((sum, batches) => sum + batches.length, 0);
  let step = 0;
  for (const [epoch, batches] of epochs.entries()) {
    for (const batch of batches) {
      signal.throwIfAborted();
      step += 1;
      const pack = packOf(batch);
      const weight = weightsOf(pack.mask, settings.clone_observation_weight);
      const { mask, ...everything } = pack;
      const learnt = settings.clone_observation_weight > 0 ? everything : { ...everything, mask };
      const { loss } = await trainer.accumulate(learnt, { policy: "cross-entropy" }, { weight });
      const progress = step / steps;
      const lr = settings.clone_lr * Math.min(progress * 20, 1 - 0.9 * progress);
      await trainer.step({ lr, beta2: 0.99, weightDecay: 0.01, clipNorm: 1 });
      onStep({ epoch, step, steps, loss, tokens: pack.tokens.length });
    }
  }
}

/** Batches of whole examples, in an order that follows from seed and epoch. */
function epochOf(examples: readonly Example[], settings: CloningSettings, epoch: number): Example[][] {
  const random = keyedRandom(settings.seed, epoch);
  const order = examples.map((example) => ({ example, at: random() })).sort((a, b) => a.at - b.at);
  const batches: Example[][] = [];
  let room = 0;
  for (const { example } of order) {
    const { length } = example.tokens;
    if (length > room) {
      batches.push([]);
      room = Math.max(settings.clone_tokens_per_step, length);
    }
    batches.at(-1)?.push(example);
    room -= length;
  }
  return batches;
}

function weightsOf(mask: Uint8Array, ofObservations: number): Float32Array {
  const replies = mask.reduce((sum, one) => sum + one, 0);
  const observations = mask.length - replies;
  return Float32Array.from(mask, (one) => (one === 1 ? 1 / replies : ofObservations / observations));
}
