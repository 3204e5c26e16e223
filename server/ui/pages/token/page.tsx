/** Asks for a token if the gym refuses the page's own, and opens the studio again with it. */
import { useSignal } from "@preact/signals";
import { gymUrl, tokenRefusal } from "../../api.js";
import { reconnect } from "../../live.js";
import { Failure } from "../../parts/loaded.js";
import "./token.css";

/** Address of the gym without a token. The token of a studio is the end of its address. */
const bareUrl = gymUrl.replace(/\/t\/[^/]+\/$/, "/");

export function TokenPage() {
  const typed = useSignal("");
  const error = useSignal<unknown>(null);
  const isChecking = useSignal(false);
  const open = async (event: Event) => {
    event.preventDefault();
    isChecking.value = true;
    error.value = await refusalOf(typed.value.trim());
    isChecking.value = false;
    if (error.value === null) showWith(typed.value.trim());
  };
  return (
    <section class="page token-page">
      <h1>This gym asks for a token</h1>
      <Failure error={error.value ?? tokenRefusal.value}>
        <button type="button" onClick={reconnect}>
          Try again
        </button>
      </Failure>
      <p>
        A token is a secret that begins with <code>pal_</code>. It says whose episodes you see. The operator of the gym
        makes one for you:
      </p>
      <pre>npx palestra token create --name YOUR-NAME</pre>
      <p>
        On the machine of the gym, <code>npx palestra ui</code> opens this page with a token of its own.
      </p>
      <form onSubmit={open}>
        <label>
          Token{" "}
          <input
            name="token"
            type="password"
            autocomplete="off"
            spellcheck={false}
            required
            pattern="\s*[!-~]+\s*"
            title="A token has no spaces."
            value={typed.value}
            onInput={({ currentTarget }) => {
              typed.value = currentTarget.value;
            }}
          />
        </label>
        <button type="submit" disabled={isChecking.value}>
          Open the studio
        </button>
      </form>
      <p class="quiet">The page keeps the token in its address, so the browser's history has it, too.</p>
    </section>
  );
}

/** Returns the reason why the gym does not take a token, or null if it takes it. */
async function refusalOf(token: string): Promise<unknown> {
  try {
    const reply = await fetch(`${bareUrl}v1/usage`, { headers: { authorization: `Bearer ${token}` } });
    if (reply.ok) return null;
    const { error } = (await reply.json()) as { error: { code: string; message: string } };
    return `${error.code}: ${error.message}`;
  } catch {
    return "The gym does not answer.";
  }
}

/** Opens the same place of the studio below the token. The address without it is of no use in the history. */
function showWith(token: string): void {
  location.replace(`${bareUrl}t/${encodeURIComponent(token)}/ui/${location.hash}`);
}
