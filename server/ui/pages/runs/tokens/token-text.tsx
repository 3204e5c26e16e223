/** The text of all tokens of a rollout, tinted. Only tokens in or near the view are elements of their own. */
import { type Signal, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import type { LoggedRollout } from "../../../api.js";
import { Scroll } from "../../../parts/scroll.js";
import { piecesOf } from "../../../parts/visible-text.js";
import type { Scale } from "./tints.js";

interface Props {
  logged: LoggedRollout;
  values: readonly (number | null)[];
  scale: Scale | null;
  /** Token that is selected. */
  at: Signal<number>;
  box: RefObject<HTMLElement | null>;
}

export function TokenText({ logged, values, scale, at, box }: Props) {
  const { length } = logged.tokens;
  const isNear = useNear(box, Math.ceil(length / blockSize));
  const select = ({ target }: Event) => {
    const index = (target as HTMLElement).dataset.at;
    if (index !== undefined) at.value = Number(index);
  };
  return (
    <Scroll label="Text of the tokens" class="token-text" box={box}>
      <pre dir="ltr" onPointerOver={select}>
        {isNear.value.map((near, block) => {
          const [from, end] = [block * blockSize, Math.min((block + 1) * blockSize, length)];
          const selected = at.value >= from && at.value < end ? at.value : undefined;
          return (
            <bdi key={block} dir="ltr" data-block={block}>
              {near || selected !== undefined ? (
                <Block {...{ logged, values, scale, from, end, selected }} />
              ) : (
                logged.tokens.slice(from, end).map((_, i) => textOf(logged, from + i))
              )}
            </bdi>
          );
        })}
      </pre>
    </Scroll>
  );
}

/** Tokens of a block. A block far from the view is one text of the same width, so that the lines stay as they are. */
const blockSize = 256;

/** Returns for each block whether it is in or near the view. */
function useNear(box: RefObject<HTMLElement | null>, blocks: number): Signal<readonly boolean[]> {
  const isNear = useSignal<readonly boolean[]>(Array.from({ length: blocks }, (_, block) => block === 0));
  useEffect(() => {
    const see = (entries: readonly IntersectionObserverEntry[]) => {
      const near = [...isNear.value];
      for (const { target, isIntersecting } of entries)
        near[Number((target as HTMLElement).dataset.block)] = isIntersecting;
      isNear.value = near;
    };
    const observer = new IntersectionObserver(see, { root: box.current, rootMargin: "400px 0px" });
    for (const element of box.current?.querySelectorAll("[data-block]") ?? []) observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return isNear;
}

interface BlockProps extends Pick<Props, "logged" | "values" | "scale"> {
  from: number;
  end: number;
  selected: number | undefined;
}

function Block(props: BlockProps) {
  const { logged, values, scale, from, end, selected } = props;
  const token = (index: number) => {
    const value = values[index] ?? null;
    const { kind, strength } = value === null || !scale ? none : scale.tintOf(value);
    const classes = [kind, index === selected && "selected"].filter(Boolean).join(" ");
    return (
      <bdi
        key={index}
        dir="ltr"
        data-at={index}
        class={classes || undefined}
        style={kind === "" ? undefined : { "--strength": strength.toFixed(3) }}
      >
        {textOf(logged, index)}
      </bdi>
    );
  };
  // The same elements are not rendered again when a token of another block is selected.
  return useMemo(() => <>{Array.from({ length: end - from }, (_, i) => token(from + i))}</>, Object.values(props));
}

const none = { kind: "", strength: 0 };

/** Characters of a token that are shown. */
export const mostCharacters = 200;

/** Returns a token as text that can be read, or its number if its text is unknown. Its line feeds are kept. */
function textOf({ tokens, texts }: LoggedRollout, index: number): string {
  const text = texts?.[index] ?? ` ${tokens[index]}`;
  return piecesOf(text.slice(0, mostCharacters))
    .map((piece) => piece.text)
    .join("");
}
