/** A person's note at a place of an episode, and the form in which it is written. */
import { useSignal } from "@preact/signals";
import { Failure } from "../../parts/loaded.js";
import { Inline } from "../../parts/text.js";
import { linkTo } from "../../route.js";
import type { Transcript } from "./transcript.js";

interface Props {
  transcript: Transcript;
  /** Number of the step, or 0 for the whole episode. */
  step: number;
}

export function NoteAt({ transcript, step }: Props) {
  const isWriting = useSignal(false);
  const note = transcript.episode.value.notes?.find((each) => each.step === step);
  const name = step === 0 ? "the episode" : `step ${step}`;
  if (isWriting.value)
    return (
      <NoteForm
        transcript={transcript}
        step={step}
        text={note?.text ?? ""}
        tags={note?.tags.join(", ") ?? ""}
        onDone={() => {
          isWriting.value = false;
        }}
      />
    );
  return (
    <div class="note">
      {note?.tags.map((tag) => (
        <a key={tag} class="badge" href={linkTo(["episodes"], { tag })}>
          <Inline text={tag} />
        </a>
      ))}
      {note && note.text !== "" && <Inline text={note.text} most={4_000} />}
      {!transcript.isStored && (
        <button
          type="button"
          class="write"
          aria-label={`${note ? "Change the note" : "Write a note"} on ${name}`}
          onClick={() => {
            isWriting.value = true;
          }}
        >
          {note ? "Change" : "Note"}
        </button>
      )}
    </div>
  );
}

interface FormProps extends Props {
  text: string;
  tags: string;
  onDone: () => void;
}

function NoteForm({ transcript, step, text, tags, onDone }: FormProps) {
  const typed = useSignal({ text, tags });
  const error = useSignal<unknown>(null);
  const save = async (event: Event) => {
    event.preventDefault();
    const words = typed.value.tags.split(",").map((tag) => tag.trim());
    try {
      await transcript.note({ step, text: typed.value.text, tags: words.filter(Boolean) });
      onDone();
    } catch (reason) {
      error.value = reason;
    }
  };
  return (
    <form class="note-form" onSubmit={save}>
      <textarea
        aria-label="Note"
        rows={2}
        maxLength={4_000}
        value={typed.value.text}
        onInput={({ currentTarget }) => {
          typed.value = { ...typed.value, text: currentTarget.value };
        }}
      />
      <input
        aria-label="Tags, separated by commas"
        placeholder="Tags, separated by commas"
        value={typed.value.tags}
        onInput={({ currentTarget }) => {
          typed.value = { ...typed.value, tags: currentTarget.value };
        }}
      />
      <button type="submit">Save</button>
      <button type="button" onClick={onDone}>
        Cancel
      </button>
      {error.value !== null && <Failure error={error.value} />}
    </form>
  );
}
