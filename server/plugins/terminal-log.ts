const levels = new Map([
  [10, "trace"],
  [20, "debug"],
  [30, "info"],
  [40, "warn"],
  [50, "error"],
  [60, "fatal"],
]);

/** Messages that the greeting repeats once the gym is ready. */
const saidByTheGreeting = /^Server listening at /;

/**
 * Writes pino's lines for a person at a terminal, where JSON is hard to read: `17:07:36 warn an episode failed
 * (environment: maze@1, code: ENVIRONMENT_THREW)`, an error's stack below its line.
 *
 * @returns a stream for pino
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

/** Text from outside must not steer the terminal. JSON kept its control characters escaped; here they would act. */
function printable(text: string): string {
  return text.replace(/[^\P{Cc}\n]/gu, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`);
}
