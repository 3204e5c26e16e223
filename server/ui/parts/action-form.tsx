/** A form for the next action: free text, or one of the environment's tools with its arguments. */
import { useSignal } from "@preact/signals";
import type { Tool } from "../api.js";
import { actionOf } from "./tool-action.js";

interface Props {
  tools: readonly Tool[];
  disabled: boolean;
  onAction: (action: string) => void;
}

export function ActionForm({ tools, disabled, onAction }: Props) {
  const chosen = useSignal("");
  const text = useSignal("");
  const fields = useSignal<Record<string, string>>({});
  const tool = tools.find(({ name }) => name === chosen.value);
  const submit = (event: Event) => {
    event.preventDefault();
    onAction(tool ? actionOf(tool, fields.value) : text.value);
    text.value = "";
    fields.value = {};
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
          }}
        />
      )}
      {tool ? (
        Object.entries(tool.parameters.properties ?? {}).map(([name, schema]) => (
          <label key={name}>
            {name}
            <input
              value={fields.value[name] ?? ""}
              title={(schema as { description?: string }).description}
              required={tool.parameters.required?.includes(name) ?? true}
              onInput={({ currentTarget }) => {
                fields.value = { ...fields.value, [name]: currentTarget.value };
              }}
            />
          </label>
        ))
      ) : (
        <input
          class="action-text"
          aria-label="Action"
          placeholder="action"
          value={text.value}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value;
          }}
        />
      )}
      <button type="submit" disabled={disabled}>
        Step
      </button>
      {tool && <p class="quiet">{tool.description}</p>}
    </form>
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
          {name}
        </option>
      ))}
    </select>
  );
}
