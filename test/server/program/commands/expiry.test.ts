import { describe, expect, test } from "vitest";
import { parseExpiry } from "#palestra/server/program/handlers/expiry.js";

const now = Date.parse("2030-01-30T10:00:00Z");

describe("the expiry of a token", () => {
  test.each([
    ["45m", "2030-01-30T10:45:00.000Z"],
    ["12h", "2030-01-30T22:00:00.000Z"],
    ["30d", "2030-03-01T10:00:00.000Z"],
    ["2w", "2030-02-13T10:00:00.000Z"],
    ["2030-01-31", "2030-01-31T00:00:00.000Z"],
    ["2032-02-29", "2032-02-29T00:00:00.000Z"],
    ["2030-01-31T18:00Z", "2030-01-31T18:00:00.000Z"],
    ["2030-01-31T18:00:30+02:00", "2030-01-31T16:00:30.000Z"],
    ["36525d", "2130-01-31T10:00:00.000Z"],
  ])("can be %s", (text, expected) => {
    expect(parseExpiry(text, now)).toBe(expected);
  });

  test.each([
    "",
    "30",
    "d",
    "30 d",
    "30days",
    "-1d",
    "1.5d",
    "2030-02-30",
    "2031-02-29",
    "31.1.2030",
    "2030-01-31T18:00",
  ])("%j is refused, with examples", (text) => {
    const message = /^expected a duration such as 30d, 12h or 45m, a date such as .+, but received ".*"$/;
    expect(() => parseExpiry(text, now)).toThrow(message);
  });

  test.each(["0d", "2030-01-30", "2020-01-01", "2030-01-30T10:00:00Z"])("%s is refused as past", (text) => {
    expect(() => parseExpiry(text, now)).toThrow(
      `expected a time after now, 2030-01-30T10:00:00.000Z, but received "${text}"`,
    );
  });

  test.each(["36526d", "99999999999999999999d", "9999-12-31"])("%s is refused as too far in the future", (text) => {
    expect(() => parseExpiry(text, now)).toThrow(`expected a time within 100 years, but received "${text}"`);
  });
});
