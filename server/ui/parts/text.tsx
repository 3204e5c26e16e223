/**
 * Untrusted text of any length. Of a long text only the beginning is shown at first, and all of it as blocks that the
 * browser lays out when they come into view.
 */
import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import "./text.css";
import { markMatches, type Piece, patternOf, piecesOf, withoutTerminalCodes } from "./visible-text.js";

interface Props {
  text: string;
  /** A phrase or words to highlight. */
  words?: string | readonly string[];
  /** Number of the match among those of this text that is scrolled into view, or undefined. */
  match?: number | undefined;
  /** Whether terminal codes are shown, too. */
  isRaw?: boolean;
  /** Characters that are shown at first. */
  most?: number;
}

/** Characters and lines of a text that are shown at first. */
const firstCharacters = 20_000;
const firstLines = 400;
/** Characters of a block. A line that is longer is cut into several blocks. */
const blockCharacters = 8_000;

export function Text({ text, words = "", match, isRaw = false, most = firstCharacters }: Props) {
  const showsAll = useSignal(false);
  const box = useRef<HTMLDivElement>(null);
  const shown = isRaw ? text : withoutTerminalCodes(text);
  const pattern = patternOf(words);
  const first = showsAll.value ? shown.length : firstEnd(shown, most, pattern, match);
  useEffect(() => {
    if (match === undefined) return;
    box.current?.querySelectorAll("mark")[match]?.scrollIntoView({ block: "nearest" });
  }, [match, words, text, first]);
  return (
    <div class="text" ref={box}>
      {blocksOf(shown.slice(0, first)).map((block, i) => (
        <Block key={i} text={block} words={words} />
      ))}
      {first < shown.length && (
        <button type="button" class="more" onClick={() => (showsAll.value = true)}>
          Show all {sizeOf(shown.length)}
        </button>
      )}
    </div>
  );
}

interface InlineProps extends Pick<Props, "text" | "words"> {
  /** Characters that are shown. */
  most?: number;
}

/** A short untrusted text within a line. It does not change the direction of the text around it. */
export function Inline({ text, words = "", most = 2_000 }: InlineProps) {
  const shown = text.length > most ? `${text.slice(0, wholeCharacterEnd(text, most))}…` : text;
  return (
    <bdi dir="ltr" class="untrusted">
      {markMatches(piecesOf(withoutTerminalCodes(shown)), patternOf(words)).map(pieceView)}
    </bdi>
  );
}

function Block({ text, words }: { text: string; words: string | readonly string[] }) {
  const pieces = useMemo(() => markMatches(piecesOf(text), patternOf(words)), [text, words]);
  return <pre dir="ltr">{pieces.map(pieceView)}</pre>;
}

function pieceView({ text, symbol, isMatch }: Piece, i: number) {
  if (symbol !== undefined)
    return (
      <span key={i} class="symbol" title={symbol}>
        {text}
      </span>
    );
  return isMatch ? <mark key={i}>{text}</mark> : text;
}

/** Returns the end of the part that is shown at first. A match that is to be seen is in it. */
function firstEnd(text: string, most: number, pattern: RegExp | null, match: number | undefined): number {
  let end = Math.min(text.length, most);
  for (let line = 0, at = -1; line < firstLines; line++) {
    at = text.indexOf("\n", at + 1);
    if (at < 0 || at >= end) break;
    if (line === firstLines - 1) end = at;
  }
  if (pattern && match !== undefined) {
    let seen = 0;
    for (const { 0: found, index } of text.matchAll(pattern)) {
      if (seen++ === match) end = Math.max(end, Math.min(text.length, index + found.length + 2_000));
      if (seen > match) break;
    }
  }
  // A little more than what is shown needs no button.
  return text.length - end < 200 ? text.length : wholeCharacterEnd(text, end);
}

function blocksOf(text: string): string[] {
  const blocks: string[] = [];
  for (let at = 0; at < text.length || blocks.length === 0; ) {
    const most = at + blockCharacters;
    const newline = most < text.length ? text.lastIndexOf("\n", most) : -1;
    const end = most >= text.length ? text.length : newline > at ? newline + 1 : wholeCharacterEnd(text, most);
    // The line feed at the end of a block is the end of the block itself.
    blocks.push(end < text.length && text[end - 1] === "\n" ? text.slice(at, end - 1) : text.slice(at, end));
    at = end;
    if (text.length === 0) break;
  }
  return blocks;
}

/** Returns a place at or before `at` that does not cut a surrogate pair. */
function wholeCharacterEnd(text: string, at: number): number {
  return /[\ud800-\udbff]/.test(text[at - 1] ?? "") ? at - 1 : at;
}

export function sizeOf(characters: number): string {
  if (characters < 10_000) return `${characters} characters`;
  return characters < 1e6
    ? `${Math.round(characters / 1_000)} k characters`
    : `${(characters / 1e6).toFixed(1)} M characters`;
}
