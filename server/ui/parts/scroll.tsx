/** A box that scrolls where its content is too wide, also by keyboard. */
import type { ComponentChildren } from "preact";

interface Props {
  label: string;
  class?: string;
  children: ComponentChildren;
}

export function Scroll({ label, class: className = "", children }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must take the focus to scroll by keyboard
    <section class={`scroll ${className}`} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
