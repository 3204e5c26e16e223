/** Says whether the page shows the present, on every page. */
import { connection, refusal } from "../live.js";
import "./connection-note.css";

const texts = { connecting: "Connecting…", open: "Live", lost: "Connection lost. Reconnecting…" };

export function ConnectionNote() {
  const state = connection.value;
  return (
    <span class={`connection ${state}`} role="status">
      {texts[state]}
      {refusal.value !== "" && ` ${refusal.value}`}
    </span>
  );
}
