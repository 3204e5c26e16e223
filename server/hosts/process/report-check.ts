import { z } from "zod";
import { errorTable } from "../../errors.js";
import { Ended, type Ending, isVerdict } from "../../log/records/episode-state.js";
import type { FromHost, HostReport } from "../../log/records/protocol.js";
import { type Command, type CommandMessage, type Result, readCommands, type SlotNumber } from "../protocol.js";

/** Number of words of a step in the results. */
const wordsPerStep = 4;

const slot = z.int().positive();
const code = z.enum(Object.keys(errorTable) as [keyof typeof errorTable]);

const difference = z.object({ index: z.int().min(0), reply: z.string() });

const resultSchema: z.ZodType<Result> = z.discriminatedUnion("type", [
  z.object({ type: z.literal("opened"), slot, resetResult: z.string() }),
  z.object({ type: z.literal("replayed"), slot, difference: difference.optional() }),
  z.object({ type: z.literal("answered"), slot, answer: z.string().nullable() }),
  z.object({ type: z.literal("cloned"), slot }),
  z.object({ type: z.literal("closed"), slot }),
  z.object({ type: z.literal("failed"), slot, code, detail: z.string(), trace: z.string() }),
  z.object({ type: z.literal("lost"), slot, code, expected: z.string(), received: z.string() }),
  z.object({ type: z.literal("verified"), slot, verdicts: z.string() }),
]);

const endingSchema: z.ZodType<Ending> = z.object({
  episode: z.int(),
  kind: z.enum(["solved", "unsolved"]),
  detail: z.string().refine(isVerdict, "expected the JSON text of a verdict"),
});

/** A slot of the process, as far as its commands and results have told. */
interface SlotState {
  episode: number;
  /** Index of the next step. */
  next: number;
  /** Actions of the steps that the process has not answered, oldest first. */
  actions: string[];
  /** Lengths of the replays that are under way. */
  replays: number[];
  /** Slot of which this slot is a copy. */
  source: SlotState | null;
}

/**
 * Checks the reports of a host process before the log and the main thread act on them. An environment can write to the
 * process's socket, and must not reach the steps of episodes elsewhere.
 */
export class ReportCheck {
  private readonly slots = new Map<SlotNumber, SlotState>();
  /** Closed slots, and the number of the message that closed each. Earlier messages may still give steps. */
  private closing: { slot: SlotNumber; message: number }[] = [];
  private posted = 0;

  /**
   * Called for each message of commands that is sent to the process. A command may come for a slot that has ended, since
   * its owner has not received the end yet.
   */
  sent(message: CommandMessage): void {
    this.posted += 1;
    const handler = {
      onStep: (number: SlotNumber, action: string) => void this.slots.get(number)?.actions.push(action),
      onCommand: (command: Command) => this.sentCommand(command),
    };
    readCommands(message, handler);
  }

  /**
   * Returns the report with a page that holds only steps of the process's own slots.
   *
   * @param lines lines of the page
   * @param performed number of messages of commands that the process has performed
   * @throws {Error} if the report is not one that the process can honestly send
   */
  check(report: unknown, lines: string, performed: number): FromHost {
    if ((report as FromHost | null)?.type === "resumed") return { type: "resumed" };
    const { results, endings } = report as HostReport;
    if (!Array.isArray(results)) throw new Error("expected a list of results, but received none");
    if (!Array.isArray(endings)) throw new Error("expected a list of verdicts, but received none");
    const reader = new ReportReader(lines);
    for (let at = 0; at < results.length; ) {
      const word = results[at];
      if (typeof word === "object") {
        this.checkResult(resultSchema.parse(word));
        at += 1;
      } else {
        this.checkStep(results.slice(at, at + wordsPerStep) as number[], reader);
        at += wordsPerStep;
      }
    }
    reader.expectEnd();
    this.forget(performed);
    const page = { places: reader.places, lines };
    return { type: "report", results, page, endings: endings.map((ending) => this.checkEnding(ending, reader)) };
  }

  private sentCommand(command: Command): void {
    switch (command.type) {
      case "open":
        return this.add(command.slot, command.request.episode, null);
      case "verify":
        return this.add(command.slot, 0, null);
      case "clone":
        return this.add(command.copy, command.episode, this.slots.get(command.slot) ?? null);
      case "replay":
        this.slots.get(command.slot)?.replays.push(command.history.length);
        return;
      case "close":
        this.closing.push({ slot: command.slot, message: this.posted });
    }
  }

  private add(number: SlotNumber, episode: number, source: SlotState | null): void {
    this.slots.set(number, { episode, next: 0, actions: [], replays: [], source });
  }

  private checkResult(result: Result): void {
    const state = this.slots.get(result.slot);
    // A slot may end by itself while its owner finishes it. The gym then ignores the second result.
    if (!state) return;
    switch (result.type) {
      case "opened":
        JSON.parse(result.resetResult);
        return;
      case "replayed":
        if (result.difference) JSON.parse(result.difference.reply);
        state.next += state.replays.shift() ?? 0;
        return;
      case "cloned":
        state.next = state.source?.next ?? 0;
        return;
      case "answered":
        return;
      default:
        this.slots.delete(result.slot);
    }
  }

  private checkStep(words: number[], reader: ReportReader): void {
    const [number, ended, headLength, replyLength] = words as [number, number, number, number];
    const state = this.slots.get(number);
    const action = state?.actions.shift();
    if (!state || action === undefined) throw new Error(`expected no step of slot ${number}, but received one`);
    const head = `[${state.episode},${state.next},${ended},${JSON.stringify(action)}`;
    reader.expectStep(state.episode, state.next, head, headLength, replyLength);
    state.next += 1;
    if (ended === Ended.no) return;
    this.slots.delete(number);
    reader.ended.add(state.episode);
  }

  /** An episode has one verdict, in the report with its last step. */
  private checkEnding(received: unknown, { ended }: ReportReader): Ending {
    const ending = endingSchema.parse(received);
    if (!ended.delete(ending.episode))
      throw new Error(`expected a verdict on an episode that has just ended, but received one on ${ending.episode}`);
    return ending;
  }

  private forget(performed: number): void {
    const isGone = ({ message }: { message: number }) => message <= performed;
    for (const { slot: number } of this.closing.filter(isGone)) this.slots.delete(number);
    this.closing = this.closing.filter((each) => !isGone(each));
  }
}

/** Whether the first line of a step ends with answers, and with milliseconds or nothing. */
function hasLegalRest(line: unknown[]): boolean {
  const [answers, gymMs = 1] = line.slice(4);
  return line.length <= 6 && Array.isArray(answers) && Number.isSafeInteger(gymMs) && (gymMs as number) > 0;
}

/** Reads the lines of a page from the start to the end. */
class ReportReader {
  private at = 0;
  readonly places: number[] = [];
  /** Keys of the episodes that a step has ended, and that have no verdict yet. */
  readonly ended = new Set<number>();

  constructor(private readonly lines: string) {}

  /** @param head beginning of the step's first line, up to its action */
  expectStep(episode: number, index: number, head: string, headLength: number, replyLength: number): void {
    const line = this.line(headLength);
    if (line !== `${head}]` && !(line.startsWith(`${head},[`) && hasLegalRest(JSON.parse(line))))
      throw new Error(`expected the step ${head}], but received ${line}`);
    const reply = JSON.parse(this.line(replyLength)) as { index?: unknown };
    if (reply?.index !== index) throw new Error(`expected the reply of step ${index}, but received another`);
    this.places.push(episode, index);
  }

  expectEnd(): void {
    if (this.at !== this.lines.length) throw new Error("expected the end of the page, but received more lines");
  }

  private line(length: number): string {
    const end = this.at + length;
    const line = this.lines.slice(this.at, end);
    if (this.lines[end] !== "\n" || line.includes("\n"))
      throw new Error(`expected a line of ${length} characters, but received another length`);
    this.at = end + 1;
    return line;
  }
}
