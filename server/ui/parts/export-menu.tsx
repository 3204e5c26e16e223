/** A menu with the files of an episode or a run. Each entry is a link, so that the browser itself saves the file. */
import { useEffect, useRef } from "preact/hooks";
import { gymUrl } from "../api.js";
import "./export-menu.css";

export interface Format {
  readonly format: string;
  readonly name: string;
  readonly use: string;
}

export const episodeFormats: readonly Format[] = [
  { format: "html", name: "HTML page", use: "opens without a gym" },
  { format: "eval", name: "Inspect log", use: ".eval, for inspect view" },
  { format: "atif", name: "ATIF trajectory", use: "Harbor's format" },
  { format: "json", name: "JSON", use: "facts, first observation, steps" },
];

/** @param of path of the episode or the run below `v1/` */

export function ExportMenu({ of, formats }: { of: string; formats: readonly Format[] }) {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = ({ type, target }: Event) => {
      const { current } = menu;
      if (!current?.open || (type === "pointerdown" && current.contains(target as Node))) return;
      current.open = false;
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || !menu.current?.open) return;
      close(event);
      menu.current.querySelector("summary")?.focus();
    };
    addEventListener("pointerdown", close);
    addEventListener("keydown", onKey);
    addEventListener("resize", close);
    return () => {
      removeEventListener("resize", close);
      removeEventListener("pointerdown", close);
      removeEventListener("keydown", onKey);
    };
  }, []);
  return (
    <details class="export-menu" ref={menu} onToggle={({ currentTarget }) => putBelow(currentTarget)}>
      <summary>Export</summary>
      <ul>
        {formats.map(({ format, name, use }) => (
          <li key={format}>
            <a href={`${gymUrl}v1/${of}/export?format=${format}`} download>
              {name} <span class="quiet">{use}</span>
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Puts the list below the button. It has a fixed position, since a box that scrolls would cut it off. */
function putBelow(menu: HTMLDetailsElement): void {
  const [button, list] = [menu.querySelector("summary"), menu.querySelector("ul")];
  if (!menu.open || !button || !list) return;
  const { left, bottom } = button.getBoundingClientRect();
  const most = document.documentElement.clientWidth - list.offsetWidth - 8;
  list.style.left = `${Math.max(8, Math.min(left, most))}px`;
  list.style.top = `${bottom + 4}px`;
}
