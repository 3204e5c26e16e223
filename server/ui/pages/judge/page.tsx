/** Two episodes of one task side by side. A person says which is better, without knowing who played or what reward came of it. */
import { signal } from "@preact/signals";
import { Inline } from "../../parts/text.js";
import { linkTo, place } from "../../route.js";
import { AgreementView } from "./agreement.js";
import { Judging } from "./judging.js";
import "./judge.css";

const storageKey = "palestra.rater";

/** Name of the person who judges on this device. A group that shares a token gives one name each. */
const rater = signal(stored());

function stored(): string {
  try {
    return localStorage.getItem(storageKey) ?? "";
  } catch {
    return "";
  }
}

function rename(name: string): void {
  rater.value = name;
  try {
    localStorage.setItem(storageKey, name);
  } catch {
    // Without storage, the name lasts as long as the page.
  }
}

export function JudgePage({ part }: { part: string | undefined }) {
  const query = Object.fromEntries(place.value.query);
  return (
    <section class="page judge">
      <header class="judge-head">
        <h1>Judge</h1>
        <nav aria-label="Judging" class="judge-parts">
          <a href={linkTo(["judge"], query)} aria-current={part === undefined ? "page" : undefined}>
            Pairs
          </a>
          <a href={linkTo(["judge", "agreement"], query)} aria-current={part === "agreement" ? "page" : undefined}>
            Agreement
          </a>
        </nav>
        {rater.value !== "" && (
          <p class="quiet judge-rater">
            judging as <Inline text={rater.value} />{" "}
            <button type="button" onClick={() => rename("")}>
              Change name
            </button>
          </p>
        )}
      </header>
      {part === "agreement" ? (
        <AgreementView />
      ) : rater.value === "" ? (
        <RaterForm />
      ) : (
        <Judging rater={rater.value} environment={place.value.query.get("environment") ?? undefined} />
      )}
    </section>
  );
}

function RaterForm() {
  return (
    <form
      class="rater-form"
      onSubmit={(event) => {
        event.preventDefault();
        const name = new FormData(event.currentTarget).get("rater");
        rename(String(name).trim());
      }}
    >
      <p>
        You see two episodes of one task, in random order. Say which one is better. Your name is kept with each
        judgment, so that the agreement of several people can be told.
      </p>
      <label>
        Your name <input name="rater" required maxLength={100} autocomplete="nickname" pattern=".*\S.*" />
      </label>
      <button type="submit">Begin</button>
    </form>
  );
}
