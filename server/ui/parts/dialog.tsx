/** A dialog above the page. The browser keeps the focus in it, closes it on Escape, and gives the focus back. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import "./dialog.css";

interface Props {
  label: string;
  onClose: () => void;
  children: ComponentChildren;
}

export function Dialog({ label, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isShown = useRef(true);
  useEffect(() => {
    const { current } = dialog;
    current?.showModal();
    return () => {
      isShown.current = false;
      current?.close();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes the dialog, and a click beside it does so, too
    <dialog
      ref={dialog}
      class="dialog"
      aria-label={label}
      // The event comes in a later task: after the removal of this dialog it could close the next one.
      onClose={() => isShown.current && onClose()}
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget) currentTarget.close();
      }}
    >
      <div class="dialog-content">{children}</div>
    </dialog>
  );
}
