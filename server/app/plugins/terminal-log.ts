const levels = new Map([
  [10, "trace"],
  [20, "debug"],
  [30, "info"],
  [40, "warn"],
  [50, "error"],
  [60, "fatal"],
]);

/** Pattern of messages that are left out, because the greeting contains the same information. */
const saidByTheGreeting = /^Server listening at /;

/**
 * Returns a stream for pino that writes readable lines instead of JSON: `17:07:36 warn an episode failed (environment:
 * maze@1, code: ENVIRONMENT_THREW)`. The stack of an error follows its line.
 */
export function terminalLog(out: { write(text: string): unknown }): { write(line: string): void } {
  return {
    write(line) {
      const text = readable(line);
      if (text !== "") out.write(text);
    },
  };
}

function readable(line: string): string {
  let entry: Record<string, unknown>;
  try {
    entry = JSON.parse(line);
  } catch {
    return line;
  }
  const { level, time, pid: _pid, hostname: _hostname, reqId: _reqId, msg, err, ...rest } = entry;
  if (saidByTheGreeting.test(String(msg))) return "";
  const clock = new Date(Number(time)).toTimeString().slice(0, 8);
  const facts = Object.entries(rest).map(([name, value]) => `${name}: ${oneLine(value)}`);
  const stack = (err as { stack?: string } | undefined)?.stack;
  const parts = [clock, levels.get(Number(level)) ?? "", oneLine(msg ?? "")];
  return `${parts.join(" ")}${facts.length > 0 ? ` (${facts.join(", ")})` : ""}\n${stack ? `${printable(stack)}\n` : ""}`;
}

function oneLine(value: unknown): string {
  return printable(typeof value === "string" ? value : JSON.stringify(value)).replace(/\s*\n\s*/g, " ");
}

/** Escapes control characters, so that text from outside cannot control the terminal. */
function printable(text: string): string {
  return text.replace(/[^\P{Cc}\n]/gu, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`);
}
