/** A part of the page whose failure does not take the rest of the page with it, such as a view of a damaged file. */
import type { ComponentChildren } from "preact";
import { useEffect, useErrorBoundary } from "preact/hooks";
import { Failure } from "./loaded.js";

interface Props {
  /** Name of what is shown. The part starts anew if it changes. */
  of: string;
  children: ComponentChildren;
}

export function Guard({ of, children }: Props) {
  const [error, reset] = useErrorBoundary();
  useEffect(() => {
    if (error !== undefined) reset();
  }, [of]);
  if (error === undefined) return <>{children}</>;
  return (
    <Failure error={`This part of the page cannot be shown: ${error instanceof Error ? error.message : error}`}>
      <button type="button" onClick={reset}>
        Try again
      </button>
    </Failure>
  );
}
