/** The rules that each setting declares. */
import { expect, test } from "vitest";
import { z } from "zod";
import { rulesOf, settingNames } from "#palestra/trainer/settings/fields.js";
import { setting } from "#palestra/trainer/settings/setting.js";

test("a setting without all of its rules is a type error", () => {
  const type = z.int().default(1);
  // @ts-expect-error: no rules
  expect(() => setting(type, "Number of things.")).not.toThrow();
  // @ts-expect-error: no rule for the starting model
  expect(() => setting(type, "Number of things.", { mode: "both", change: "free" })).not.toThrow();
  // @ts-expect-error: an unknown rule
  expect(() => setting(type, "", { mode: "both", change: "sometimes", startingModel: "no" })).not.toThrow();
});

test("every setting has rules", () => {
  for (const name of settingNames) {
    expect(Object.keys(rulesOf(name)), name).toEqual(expect.arrayContaining(["mode", "change", "startingModel"]));
  }
});

test("a setting that the starting model depends on never changes freely", () => {
  const dependent = settingNames.filter((name) => rulesOf(name).startingModel !== "no");
  expect(dependent).toEqual(expect.arrayContaining(["seed", "model", "clone_lr", "beta1"]));
  for (const name of dependent) expect(rulesOf(name).change, name).not.toBe("free");
});

test("settings named after the endpoint are read in endpoint mode alone", () => {
  for (const name of settingNames) expect(rulesOf(name).mode === "endpoint", name).toBe(name.startsWith("endpoint_"));
});
