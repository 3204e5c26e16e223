/** Validates browser requests and fills in their defaults. */
import type { BrowserRequest } from "../browser.js";
import { AddressBook } from "../egress/address-book.js";
import { HostList } from "../egress/hosts.js";
import { defaults, SandboxError } from "../sandbox.js";
import { defaultOptions } from "./chromium.js";
import type { ContextOptions, Rules } from "./guarded-context.js";

export interface CheckedRequest {
  options: ContextOptions;
  rules: Rules;
  callMs: number;
  lifetimeMs: number;
  storageState: BrowserRequest["storageState"];
}

const mostPixels = 4_096;
const longestMs = 2 ** 31 - 1;

/** @throws {SandboxError} REFUSED */
export function checkRequest(request: BrowserRequest): CheckedRequest {
  const { viewport = defaultOptions.viewport, storageState } = request;
  if (!Array.isArray(request.hosts))
    throw new SandboxError("REFUSED", "a list of hosts", JSON.stringify(request.hosts) ?? "none");
  const hosts = new HostList(request.hosts);
  const whole = (name: string, value: number, most: number) => {
    if (Number.isInteger(value) && value >= 1 && value <= most) return value;
    throw new SandboxError("REFUSED", `an integer from 1 to ${most} as ${name}`, String(value));
  };
  const width = whole("viewport.width", viewport.width, mostPixels);
  const height = whole("viewport.height", viewport.height, mostPixels);
  const { locale, timezone, javaScript } = { ...defaultOptions, ...withoutUndefined(request) };
  const options: ContextOptions = {
    viewport: { width, height },
    locale: checkLocale(locale),
    timezone: checkTimezone(timezone),
    javaScript,
  };
  if (request.userAgent !== undefined) options.userAgent = request.userAgent;
  return {
    options,
    rules: {
      hosts,
      addresses: new AddressBook(request.addresses ?? {}, hosts),
      mostPages: whole("mostPages", request.mostPages ?? 16, 1_000),
      mostDialogs: whole("mostDialogs", request.mostDialogs ?? 1_000, 1_000_000),
      dialogMs: whole("dialogMs", request.dialogMs ?? 10_000, longestMs),
    },
    callMs: whole("callMs", request.callMs ?? 30_000, longestMs - 1_000),
    lifetimeMs: whole("lifetimeMs", request.lifetimeMs ?? defaults.lifetimeMs, longestMs),
    storageState,
  };
}

function withoutUndefined<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Partial<T>;
}

function checkLocale(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? locale;
  } catch {
    throw new SandboxError("REFUSED", "a locale such as en-US", JSON.stringify(locale));
  }
}

function checkTimezone(timezone: string): string {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: timezone }) && timezone;
  } catch {
    throw new SandboxError("REFUSED", "a time zone such as Europe/Berlin", JSON.stringify(timezone));
  }
}
