/** What a customer understands of a message of the agent. */
import { amountsIn } from "./facts.js";
import {
  confirmPatterns,
  elsePatterns,
  noRequests,
  politePatterns,
  refusalPatterns,
  reportPatterns,
  requests,
  topicPatterns,
  waitPatterns,
} from "./patterns.js";
import { type Topic, topics } from "./topics.js";

/** Number of characters that a customer reads of a message. */
export const mostRead = 2_000;
/** Longest sentence. The rest of a longer one is read as another sentence. */
const longestSentence = 400;

export interface Question {
  /** Text of the sentence in lower case. */
  text: string;
  topics: readonly Topic[];
  /** Whether the agent asks for a yes. */
  confirms: boolean;
  /** Whether the question asks to choose one of several, such as `which one?`. */
  chooses: boolean;
}

export interface Heard {
  /** The message in lower case, as far as the customer reads it. */
  text: string;
  questions: readonly Question[];
  /** Whether the agent asks if there is anything else. */
  asksElse: boolean;
  refuses: boolean;
  reports: boolean;
  waits: boolean;
  isPolite: boolean;
  /** Sums of dollars. */
  amounts: readonly number[];
}

const which =
  /\b(which|what) (one|ones)\b|\bwhich of (them|these|those|the (two|three))\b|\bwhich\W*$|\bwhich (do|did|would|should)\b|\bdo you mean\b|\b(did|do) you (mean|refer)\b|\bare you (referring|talking)\b|\bis (it|this|that) (about|for|regarding|the)\b/;

export function understand(message: string): Heard {
  const text = plain(message.slice(0, mostRead));
  const sentences = sentencesOf(text);
  const questions = sentences.flatMap((sentence, at) => questionIn(sentence, sentences[at - 1] ?? "") ?? []);
  const statements = sentences.filter((sentence) => !sentence.endsWith("?"));
  const has = (patterns: readonly RegExp[], among = statements) =>
    among.some((sentence) => matches(patterns, sentence));
  return {
    text,
    questions,
    asksElse: has(elsePatterns, sentences),
    refuses: has(refusalPatterns),
    reports: has(reportPatterns),
    waits: has(waitPatterns, sentences),
    isPolite: has(politePatterns),
    amounts: amountsIn(text),
  };
}

/** @param before the sentence before, to whose topic a request such as `could you check it again?` refers */
function questionIn(sentence: string, before: string): Question | undefined {
  if (matches(elsePatterns, sentence) && !matches(topicPatterns.postcode, sentence)) return undefined;
  const isMarked = sentence.endsWith("?");
  if (!isMarked && (!matches(requests, sentence) || matches(noRequests, sentence))) return undefined;
  const chooses = which.test(sentence);
  const confirms = matches(confirmPatterns, sentence);
  const own = topicsOf(sentence);
  const refersBack = own.length === 0 && /\b(again|once more|check)\b/.test(sentence);
  const named = refersBack ? topicsOf(before).filter((topic) => identityTopics.includes(topic)) : own;
  const isIdentity = named.some((topic) => identityTopics.includes(topic));
  const isOpen = isIdentity || /\b(which|what|where|when|why|how|or)\b/.test(sentence);
  const asked = confirms && !isOpen ? [] : narrowed(named, sentence);
  const isPlain = !confirms && !chooses && asked.length === 0;
  if (isPlain && !isMarked) return undefined;
  return { text: sentence, topics: asked, confirms: confirms && !isIdentity, chooses };
}

function topicsOf(sentence: string): Topic[] {
  return topics.filter((topic) => matches(topicPatterns[topic], sentence));
}

const identityTopics: readonly Topic[] = ["postcode", "name", "email"];

/** Drops topics whose words belong to another topic of the sentence. */
function narrowed(named: readonly Topic[], sentence: string): readonly Topic[] {
  const has = (topic: Topic) => named.includes(topic);
  return named.filter((topic) => {
    if (topic === "target" && has("postcode")) return /\b(new|delivery|shipping)( \w+)? address\b/.test(sentence);
    if (topic === "target" && (has("record") || has("seat"))) return false;
    if (topic === "target" && has("item")) return isReplacement(sentence);
    if (topic === "item" && has("target")) return !isReplacement(sentence);
    if (topic === "name" && (has("record") || has("item")))
      return /\b(full|first|last|family|your) names?\b/.test(sentence);
    if (topic === "item" && has("record")) return /\b(items?|products?)\b/.test(sentence);
    if (topic === "want" && (has("method") || has("reason"))) return /\b(exchange|replacement)\b/.test(sentence);
    if (topic === "reason" && has("want")) return /\b(reason|why|wrong)\b/.test(sentence);
    if (topic === "method" && has("want")) return /\b(card|voucher|method)\b/.test(sentence);
    return true;
  });
}

/** Whether a question asks for something in place of another thing. */
function isReplacement(sentence: string): boolean {
  return /\b(instead|in exchange|replacement)\b|\b(for|with|into)\W*$/.test(sentence);
}

function matches(patterns: readonly RegExp[], sentence: string): boolean {
  return patterns.some((pattern) => pattern.test(sentence));
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[’‘`]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[*_#]+/g, "");
}

/** Splits a text at the ends of sentences and lines. A point within a number or an address ends none. */
function sentencesOf(text: string): string[] {
  const parts = text.split(/(?<=[.!?])["')]*\s+|\n+|;\s/).flatMap((part) => {
    const pieces: string[] = [];
    for (let at = 0; at < part.length; at += longestSentence) pieces.push(part.slice(at, at + longestSentence));
    return pieces;
  });
  return parts.map((part) => part.replace(/\s+/g, " ").trim()).filter((part) => part !== "");
}
