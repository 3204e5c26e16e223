/** Checks names of steps. As in Harbor, each name must be a valid folder name on all operating systems. */
import { mismatch } from "./refusal.js";

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern refuses control characters
const outlawed = /[<>:"/\\|?*\x00-\x1f\x7f]/;
const devices = /^(CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(?:COM|LPT)[1-9¹²³])$/i;
const mostBytes = 255;

/** Returns the reason why a name is invalid, or undefined if the name is valid. */
export function stepNameFault(name: string): string | undefined {
  const stem = (name.split(".")[0] as string).replace(/ +$/, "");
  const isBad =
    name.trim() === "" ||
    name === "." ||
    name === ".." ||
    /[. ]$/.test(name) ||
    outlawed.test(name) ||
    devices.test(stem);
  if (isBad) return mismatch("a step's name that is a folder's on any system", JSON.stringify(name));
  if (Buffer.byteLength(name) > mostBytes) return mismatch(`a step's name of at most ${mostBytes} bytes`, name);
  return undefined;
}
