/** The field for one argument of a tool, by its JSON Schema. */
import { useId } from "preact/hooks";
import { readableLine } from "./visible-text.js";

/** The keywords of a JSON Schema that decide the kind of a field. */
export interface ArgumentSchema {
  type?: string;
  description?: string;
  enum?: unknown[];
  items?: { type?: string };
  pattern?: string;
  default?: unknown;
}

interface Props {
  name: string;
  schema: ArgumentSchema;
  isRequired: boolean;
  text: string;
  onText: (text: string) => void;
}

export function ToolField({ name, schema, isRequired, text, onText }: Props) {
  const description = schema.description === undefined ? undefined : readableLine(schema.description);
  const id = useId();
  return (
    <div class="tool-field" title={description}>
      <label for={id}>
        {readableLine(name, 60)}
        {isRequired ? "" : " (optional)"} <span class="quiet">{kindOf(schema)}</span>
      </label>
      <Control id={id} schema={schema} isRequired={isRequired} text={text} onText={onText} />
    </div>
  );
}

function Control({ id, schema, isRequired, text, onText }: Omit<Props, "name"> & { id: string }) {
  const onInput = ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement }) =>
    onText(currentTarget.value);
  const choices = schema.type === "boolean" ? [true, false] : schema.enum;
  if (choices)
    return (
      <select id={id} value={text} required={isRequired} onChange={onInput}>
        <option value="">choose</option>
        {choices.map((choice) => (
          <option key={String(choice)} value={typeof choice === "string" ? choice : JSON.stringify(choice)}>
            {readableLine(String(choice), 80)}
          </option>
        ))}
      </select>
    );
  if (schema.type === "integer" || schema.type === "number")
    return (
      <input
        id={id}
        type="number"
        step={schema.type === "integer" ? 1 : "any"}
        value={text}
        required={isRequired}
        onInput={onInput}
      />
    );
  return <textarea id={id} rows={1} value={text} required={isRequired} onInput={onInput} />;
}

function kindOf({ type, items, enum: choices }: ArgumentSchema): string {
  if (choices) return "one of";
  if (type === "array") return items?.type === "string" ? "list, one entry per line" : "JSON list";
  return type === "object" ? "JSON object" : "";
}

/** Returns the text of a field as the value of its schema. @throws {SyntaxError} the text is no JSON, where JSON is due */
export function argumentValue({ type, items, enum: choices }: ArgumentSchema, text: string): unknown {
  if (choices) return choices.find((choice) => choice === text || JSON.stringify(choice) === text) ?? text;
  if (type === "string" || type === undefined) return text;
  if (type === "array" && items?.type === "string") return text.split("\n").filter((entry) => entry !== "");
  return JSON.parse(text);
}
