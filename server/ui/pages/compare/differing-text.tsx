/** A text with the words marked that another text does not have at their place. */
import { useMemo } from "preact/hooks";
import { Inline, Text } from "../../parts/text.js";
import { withoutTerminalCodes } from "../../parts/visible-text.js";
import { commonSequence } from "./align.js";

interface Props {
  text: string;
  /** Text of the other side, or undefined if there is none. */
  other: string | undefined;
  /** Characters that are shown at first. */
  most: number;
}

/** Words of a text beyond which its words are not compared. */
const mostWords = 1_500;

export function DifferingText({ text, other, most }: Props) {
  const parts = useMemo(() => partsOf(text, other, most), [text, other, most]);
  if (parts === null) return <Text text={text} most={most} />;
  return (
    <pre dir="ltr" class="text">
      {parts.map(({ text: part, isOwn }, i) =>
        isOwn ? (
          <mark key={i}>
            <Inline text={part} />
          </mark>
        ) : (
          <Inline key={i} text={part} />
        ),
      )}
    </pre>
  );
}

interface Part {
  text: string;
  isOwn: boolean;
}

/** Returns null if the texts are equal, or too long to compare. */
function partsOf(text: string, other: string | undefined, most: number): Part[] | null {
  if (other === undefined || text === other || text.length > most || other.length > 4 * most) return null;
  const [own, theirs] = [wordsOf(withoutTerminalCodes(text)), wordsOf(withoutTerminalCodes(other))];
  if (own.length > mostWords || theirs.length > mostWords) return null;
  const shared = new Set(commonSequence(own, theirs).map(([place]) => place));
  const parts: Part[] = [];
  for (const [place, word] of own.entries()) {
    const isOwn = !shared.has(place) && word.trim() !== "";
    const last = parts.at(-1);
    if (last && last.isOwn === isOwn) last.text += word;
    else parts.push({ text: word, isOwn });
  }
  return parts;
}

function wordsOf(text: string): string[] {
  return text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
}
