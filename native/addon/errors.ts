/** The errors of the engine. The meaning of a code never changes. */

export const nativeErrors = {
  NATIVE_MISSING: "The addon is not built, or does not load on this machine.",
  NATIVE_INVALID_ARGUMENT: "An option, array or token has the wrong type, size or value.",
  NATIVE_OUT_OF_MEMORY: "The engine's memory budget has too little free for the request.",
  NATIVE_IO: "A file does not exist, or cannot be read or written.",
  NATIVE_FORMAT:
    "A file is truncated or malformed, or has unexpected shapes, an unknown type or an unknown architecture.",
  NATIVE_NOT_FINITE: "A number that must be finite is NaN or infinite.",
  NATIVE_CANCELLED: "An AbortSignal ended the call; `cause` is its reason.",
  NATIVE_CLOSED: "The engine, model, trainer or generator was closed.",
  NATIVE_INTERNAL: "A bug in the engine.",
  NATIVE_DEVICE: "The requested device cannot be used, or its driver reported an error.",
} as const;

export type NativeErrorCode = keyof typeof nativeErrors;

/** The error class of every failure in `native/`. */
export class NativeError extends Error {
  override readonly name = "NativeError";
  readonly code: NativeErrorCode;

  constructor(code: NativeErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Error codes, indexed by their numbers in the C ABI. */
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

/** Converts an error of the addon, whose `code` is a number, to a NativeError with the caller's stack. */
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
  return new NativeError("NATIVE_CLOSED", `The ${noun} is closed.`);
}

/** Converts an error of the file system to a NativeError. */
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
