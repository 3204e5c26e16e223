/** A form for the next action: free text, or one of the environment's tools with its arguments. */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Tool } from "../api.js";
import { ActionHistory } from "./action-history.js";
import { Failure } from "./loaded.js";
import { Inline } from "./text.js";
import { actionOf, argumentsOf } from "./tool-action.js";
import { ToolField } from "./tool-field.js";
import { readableLine } from "./visible-text.js";

interface Props {
  tools: readonly Tool[];
  disabled: boolean;
  /** Earlier actions, oldest first. */
  history?: readonly string[];
  /** Sends an action. Returns whether it was taken; if not, the form keeps it. */
  onAction: (action: string) => Promise<boolean>;
}

export function ActionForm({ tools, disabled, history = [], onAction }: Props) {
  const chosen = useSignal("");
  const text = useSignal("");
  const fields = useSignal<Record<string, string>>({});
  const error = useSignal<unknown>(null);
  const tool = tools.find(({ name }) => name === chosen.value);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (disabled) return;
    const sent = { text: text.value, fields: fields.value };
    try {
      error.value = null;
      if (!(await onAction(tool ? actionOf(tool, sent.fields) : sent.text))) return;
    } catch (reason) {
      error.value = reason;
      return;
    }
    // Text that was typed meanwhile stays.
    if (text.value === sent.text) text.value = "";
    if (fields.value === sent.fields) fields.value = {};
  };
  return (
    <form class="action-form" onSubmit={submit}>
      {tools.length > 0 && (
        <ToolChoice
          tools={tools}
          chosen={chosen.value}
          onChoice={(name) => {
            chosen.value = name;
            fields.value = {};
            error.value = null;
          }}
        />
      )}
      {tool ? (
        <Fields tool={tool} fields={fields} />
      ) : (
        <FreeText
          text={text.value}
          history={history}
          onText={(given) => {
            text.value = given;
          }}
        />
      )}
      <button type="submit" disabled={disabled}>
        Step
      </button>
      {tool && (
        <p class="quiet tool-description">
          <Inline text={tool.description} most={2_000} />
        </p>
      )}
      {error.value !== null && <Failure error={error.value} />}
    </form>
  );
}

function Fields({ tool, fields }: { tool: Tool; fields: Signal<Record<string, string>> }) {
  const takesAll = !tool.action.endsWith("{arguments}");
  return (
    <>
      {argumentsOf(tool).map(([name, schema]) => (
        <ToolField
          key={name}
          name={name}
          schema={schema}
          isRequired={takesAll || (tool.parameters.required?.includes(name) ?? false)}
          text={fields.value[name] ?? ""}
          onText={(given) => {
            fields.value = { ...fields.value, [name]: given };
          }}
        />
      ))}
    </>
  );
}

interface FreeTextProps {
  text: string;
  history: readonly string[];
  onText: (text: string) => void;
}

/** Enter takes the step, and Shift+Enter begins a new line. The arrows bring back earlier actions. */
function FreeText({ text, history, onText }: FreeTextProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const earlier = useMemo(() => new ActionHistory(), []);
  useEffect(() => earlier.reset(), [history.length]);
  const onKey = (event: KeyboardEvent) => {
    const { key, shiftKey, isComposing } = event;
    if (key === "Enter" && !shiftKey && !isComposing) {
      event.preventDefault();
      field.current?.form?.requestSubmit();
    }
    const { selectionStart = 0, value } = event.currentTarget as HTMLTextAreaElement;
    const isFirstLine = !value.slice(0, selectionStart).includes("\n");
    const isLastLine = !value.slice(selectionStart).includes("\n");
    const direction = key === "ArrowUp" && isFirstLine ? -1 : key === "ArrowDown" && isLastLine ? 1 : null;
    const recalled = direction && earlier.move(history, direction, text);
    if (recalled === null) return;
    event.preventDefault();
    onText(recalled as string);
  };
  return (
    <textarea
      ref={field}
      class="action-text"
      aria-label="Action"
      placeholder="action   (↑ earlier actions, Shift+Enter new line)"
      rows={1}
      value={text}
      onInput={({ currentTarget }) => onText(currentTarget.value)}
      onKeyDown={onKey}
    />
  );
}

interface ChoiceProps {
  tools: readonly Tool[];
  chosen: string;
  onChoice: (name: string) => void;
}

function ToolChoice({ tools, chosen, onChoice }: ChoiceProps) {
  return (
    <select aria-label="Tool" value={chosen} onChange={({ currentTarget }) => onChoice(currentTarget.value)}>
      <option value="">text</option>
      {tools.map(({ name }) => (
        <option key={name} value={name}>
          {readableLine(name, 60)}
        </option>
      ))}
    </select>
  );
}
