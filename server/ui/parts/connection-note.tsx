/** Says whether the page shows the present, on every page. */
import { tokenRefusal } from "../api.js";
import { connection, refusal } from "../live.js";
import "./connection-note.css";

const texts = { connecting: "Connecting…", open: "Live", lost: "Connection lost. Reconnecting…" };

export function ConnectionNote() {
  const state = connection.value;
  if (tokenRefusal.value !== null)
    return (
      <span class="connection lost" role="status">
        The gym asks for a token
      </span>
    );
  return (
    <span class={`connection ${state}`} role="status">
      {texts[state]}
      {refusal.value !== "" && ` ${refusal.value}`}
    </span>
  );
}
