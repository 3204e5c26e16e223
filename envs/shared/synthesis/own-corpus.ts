/**
 * Questions about the user's own corpus, written by a model. The model proposes a question from one or two pages. A
 * question is kept if its quotes occur on the pages, the model fails to answer it without the pages, and mostly
 * succeeds with the pages.
 */
import { choose, hash } from "../knowledge/hash.js";
import { normalised } from "./answers.js";
import type { Ask, Message } from "./model-endpoint.js";

export interface SourcePage {
  id: string;
  title: string;
  text: string;
  links?: readonly { id: string }[];
}

export interface OwnQuestion {
  id: string;
  question: string;
  golden_answers: string[];
  metadata: { type: "own"; hops: number; evidence: string[]; proof: { page: string; text: string }[]; attempt: number };
}

/**
 * Outcome of an attempt to write a question. Attempts are numbered from 0 and depend only on the seed and their number.
 */
export interface Outcome {
  attempt: number;
  question?: OwnQuestion;
  /** Reason why the question was dropped. */
  dropped?: string;
}

export interface OwnCorpusOptions {
  pages: readonly SourcePage[];
  ask: Ask;
  seed: number;
  /** Number of questions to keep. */
  count: number;
  /** Maximum number of attempts (default 10 per question). */
  mostAttempts?: number;
  /** Number of answers that are sampled with the pages and, separately, without the pages (default 3). */
  samples?: number;
  /** Number of concurrent attempts (default 4). */
  concurrency?: number;
  /** Outcomes of an earlier run. Their attempts are not repeated. */
  earlier?: readonly Outcome[];
  /**
   * Called with each new outcome and the number of questions kept so far, before the worker starts its next attempt.
   */
  onOutcome?: (outcome: Outcome, kept: number) => void;
}

const mostCharacters = 4_000;

/**
 * Runs attempts until enough questions are kept. Returns all outcomes, those of the earlier run first.
 *
 * @throws {RangeError} no page has text
 */
export async function questionsFromPages(options: OwnCorpusOptions): Promise<Outcome[]> {
  const { seed, count, mostAttempts = 10 * count, concurrency = 4, earlier = [], onOutcome } = options;
  const pages = options.pages.filter(({ text }) => text.trim() !== "");
  if (pages.length === 0) throw new RangeError("expected pages with text, but no page has text");
  const byId = new Map(pages.map((page) => [page.id, page]));
  const outcomes = [...earlier];
  const done = new Set(earlier.map(({ attempt }) => attempt));
  let kept = earlier.filter(({ question }) => question).length;
  let next = 0;
  const worker = async (): Promise<void> => {
    while (kept < count && next < mostAttempts) {
      const attempt = next++;
      if (done.has(attempt)) continue;
      const outcome = await tryOnce(chosenPages(pages, byId, `${seed} ${attempt}`), attempt, options);
      if (outcome.question) kept += 1;
      outcomes.push(outcome);
      onOutcome?.(outcome, kept);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, concurrency) }, worker));
  return outcomes;
}

/** Draws one page, or a page and a page that it links to. */
function chosenPages(pages: readonly SourcePage[], byId: ReadonlyMap<string, SourcePage>, key: string): SourcePage[] {
  const first = choose(`${key} page`, pages);
  const linked = (first.links ?? []).map(({ id }) => byId.get(id)).filter((page) => page !== undefined);
  return linked.length > 0 && hash(`${key} two`) % 3 > 0 ? [first, choose(`${key} link`, linked)] : [first];
}

async function tryOnce(pages: readonly SourcePage[], attempt: number, options: OwnCorpusOptions): Promise<Outcome> {
  const proposal = parseProposal(await options.ask(proposalMessages(pages), { temperature: 0.7 }));
  if (typeof proposal === "string") return { attempt, dropped: proposal };
  const fault = faultOf(proposal, pages);
  if (fault) return { attempt, dropped: fault };
  const { question, answer, quotes } = proposal;
  const samples = options.samples ?? 3;
  const isRight = async (shown: readonly SourcePage[]) =>
    sameAnswer(await options.ask(answerMessages(question, shown), { temperature: 0.7 }), answer);
  for (let sample = 0; sample < samples; sample++) {
    if (await isRight([])) return { attempt, dropped: "it was answered without the pages" };
  }
  let right = 0;
  for (let sample = 0; sample < samples; sample++) right += Number(await isRight(pages));
  if (right * 2 <= samples)
    return { attempt, dropped: `${right} of ${samples} attempts with the pages gave the answer` };
  const proof = quotes.map((quote) => ({
    page: (pages.find((page) => holds(page, quote)) as SourcePage).id,
    text: quote,
  }));
  const metadata = { type: "own" as const, hops: pages.length, evidence: pages.map(({ id }) => id), proof, attempt };
  return { attempt, question: { id: `own-${attempt}`, question, golden_answers: [answer], metadata } };
}

interface Proposal {
  question: string;
  answer: string;
  quotes: string[];
}

/** Parses the proposed question in a model's reply. Returns an error text if the reply is invalid. */
function parseProposal(reply: string): Proposal | string {
  try {
    const { question, answer, quotes } = JSON.parse(/\{[\s\S]*\}/.exec(reply)?.[0] ?? "");
    const isWhole = [question, answer].every((text) => typeof text === "string" && text.trim() !== "");
    if (isWhole && Array.isArray(quotes) && quotes.length > 0 && quotes.every((quote) => typeof quote === "string")) {
      return { question: question.trim(), answer: answer.trim(), quotes };
    }
  } catch {}
  return "the model's proposal was not the JSON object that it was asked for";
}

function faultOf({ question, answer, quotes }: Proposal, pages: readonly SourcePage[]): string | undefined {
  const contains = (text: string, part: string) => ` ${normalised(text)} `.includes(` ${normalised(part)} `);
  if (normalised(answer) === "" || answer.length > 100) return "the answer is empty or longer than 100 characters";
  if (contains(question, answer)) return "the question contains its answer";
  if (!quotes.every((quote) => pages.some((page) => holds(page, quote)))) return "a quote does not stand on the pages";
  if (!quotes.some((quote) => contains(quote, answer))) return "no quote contains the answer";
  const isOnEach = pages.every((page) => quotes.some((quote) => holds(page, quote)));
  return isOnEach ? undefined : "the question does not need both pages";
}

function holds({ text }: SourcePage, quote: string): boolean {
  return spaced(quote) !== "" && spaced(text).includes(spaced(quote));
}

function spaced(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function sameAnswer(reply: string, answer: string): boolean {
  return normalised(reply) === normalised(answer);
}

function proposalMessages(pages: readonly SourcePage[]): Message[] {
  const needsBoth = pages.length > 1 ? " The question must need a fact from each of the two pages." : "";
  const content = `${shownPages(pages)}

Write one question with a short, unambiguous answer that these pages state.${needsBoth} Do not mention "the page" or "the text", and do not put the answer into the question. Reply with a JSON object and nothing else: {"question": "...", "answer": "...", "quotes": ["a sentence copied from each page that proves the answer", "..."]}`;
  return [
    { role: "system", content: "You write quiz questions that can be answered by research." },
    { role: "user", content },
  ];
}

function answerMessages(question: string, pages: readonly SourcePage[]): Message[] {
  const shown = pages.length > 0 ? `${shownPages(pages)}\n\n` : "";
  const content = `${shown}Question: ${question}\nReply with the short answer alone. Reply "unknown" if you do not know it.`;
  return [{ role: "user", content }];
}

function shownPages(pages: readonly SourcePage[]): string {
  return pages.map(({ title, text }) => `# ${title}\n${text.slice(0, mostCharacters)}`).join("\n\n");
}
