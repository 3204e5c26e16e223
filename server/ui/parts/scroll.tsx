/** A box that scrolls where its content is too large, also by keyboard. */
import type { ComponentChildren, RefObject } from "preact";
import { useRef } from "preact/hooks";

interface Props {
  label: string;
  class?: string;
  box?: RefObject<HTMLElement | null>;
  onScroll?: () => void;
  children: ComponentChildren;
}

export function Scroll({ label, class: className = "", box, onScroll, children }: Props) {
  const own = useRef<HTMLElement>(null);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must take the focus to scroll by keyboard
    <section class={`scroll ${className}`} aria-label={label} tabIndex={0} ref={box ?? own} onScroll={onScroll}>
      {children}
    </section>
  );
}
