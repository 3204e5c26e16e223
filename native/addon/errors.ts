/** What the engine refuses with. Codes are never given another meaning. */

export const nativeErrors = {
  NATIVE_MISSING: "The addon is not built, or does not load on this machine.",
  NATIVE_INVALID_ARGUMENT: "An option, array or token does not fit.",
  NATIVE_OUT_OF_MEMORY: "More memory was asked for than the engine's budget has free.",
  NATIVE_IO: "A file is not there, or cannot be read or written.",
  NATIVE_FORMAT: "A file is not what it says: truncated, of other shapes, of an unknown type or architecture.",
  NATIVE_NOT_FINITE: "NaN or infinity came where numbers have to be finite.",
  NATIVE_CANCELLED: "An AbortSignal ended the call; `cause` is its reason.",
  NATIVE_CLOSED: "The engine, model, trainer or generator was closed.",
  NATIVE_INTERNAL: "A bug of the engine.",
  NATIVE_DEVICE: "A device was asked for and cannot be used, or its driver told an error.",
} as const;

export type NativeErrorCode = keyof typeof nativeErrors;

/** Every failure of `native/`. The message has what was expected and what came. */
export class NativeError extends Error {
  override readonly name = "NativeError";
  readonly code: NativeErrorCode;

  constructor(code: NativeErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** By the numbers of the C ABI. */
const codesByNumber: readonly NativeErrorCode[] = [
  "NATIVE_INTERNAL",
  "NATIVE_INVALID_ARGUMENT",
  "NATIVE_OUT_OF_MEMORY",
  "NATIVE_IO",
  "NATIVE_FORMAT",
  "NATIVE_NOT_FINITE",
  "NATIVE_CANCELLED",
  "NATIVE_CLOSED",
  "NATIVE_INTERNAL",
  "NATIVE_DEVICE",
];

/** An error of the addon, whose `code` is a number, as one of ours with the stack of the caller. */
export function fromAddon(error: unknown): unknown {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "number") return error;
  return new NativeError(codesByNumber[error.code] ?? "NATIVE_INTERNAL", error.message);
}

export function invalid(expected: string, received: unknown): NativeError {
  return new NativeError("NATIVE_INVALID_ARGUMENT", `expected ${expected}, but received ${show(received)}`);
}

export function misformed(expected: string, received: unknown): NativeError {
  return new NativeError("NATIVE_FORMAT", `expected ${expected}, but received ${show(received)}`);
}

export function closed(noun: string): NativeError {
  return new NativeError("NATIVE_CLOSED", `expected an open ${noun}, but received one that was closed`);
}

/** A failure of the file system, told as one of ours. */
export function unreadable(path: string, error: unknown): NativeError {
  const reason = error instanceof Error ? error.message : String(error);
  return new NativeError("NATIVE_IO", `expected to read ${path}, but received: ${reason}`, { cause: error });
}

function show(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 100 ? `${value.slice(0, 100)}…` : value);
  if (typeof value === "bigint") return `${value}n`;
  if (ArrayBuffer.isView(value)) return `${value.constructor.name}(${(value as Uint8Array).length})`;
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === "function") return "a function";
  if (typeof value === "object" && value !== null) return `an object of ${value.constructor?.name ?? "no class"}`;
  return String(value);
}
