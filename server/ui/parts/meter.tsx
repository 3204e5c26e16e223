/** How near a count is to its limit. */
import "./meter.css";

interface Props {
  label: string;
  used: number;
  /** Null if there is no limit. */
  limit: number | null;
  format: (value: number) => string;
}

/** Part of a limit from which the meter warns. */
export const nearPart = 0.8;

export function Meter({ label, used, limit, format }: Props) {
  const part = limit === null ? 0 : Math.min(1, used / Math.max(1, limit));
  const text = limit === null ? `${format(used)}, no limit` : `${format(used)} of ${format(limit)}`;
  return (
    <div class="meter">
      <span>{label}</span>
      <span class="quiet">{text}</span>
      {/* The text says the same. */}
      {limit !== null && (
        <div class={part >= nearPart ? "bar near" : "bar"} aria-hidden="true">
          <div style={{ width: `${part * 100}%` }} />
        </div>
      )}
    </div>
  );
}
