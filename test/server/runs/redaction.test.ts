import { expect, test } from "vitest";
import { redacted } from "#palestra/server/runs/redaction.js";

const notShown = "(not shown)";

test.each(["api_key", "apikey", "apiKey", "openai_api_key", "hf-token", "TOKEN", "client_secret", "password"])(
  "the text of `%s` is hidden, also inside lists and groups",
  (name) => {
    expect(redacted({ [name]: "hidden" })).toEqual({ [name]: notShown });
    expect(redacted({ [name]: ["hidden", ["hidden"]] })).toEqual({ [name]: [notShown, [notShown]] });
    expect(redacted({ policy: [{ [name]: ["hidden"] }] })).toEqual({ policy: [{ [name]: [notShown] }] });
    expect(redacted({ [name]: { ours: "hidden", all: [{ theirs: "hidden" }] } })).toEqual({
      [name]: { ours: notShown, all: [{ theirs: notShown }] },
    });
  },
);

test("other settings are shown unchanged", () => {
  const settings = {
    tokens: ["a"],
    max_tokens: 5,
    key: "a",
    monkey: "b",
    seeds: [1, null, true],
    model: { path: "m" },
  };
  expect(redacted(settings)).toEqual(settings);
});

test("a user name and a password in a URL are hidden, wherever the URL is", () => {
  expect(redacted({ gyms: ["see http://ada:hidden@gym:1/a and https://bob@gym"] })).toEqual({
    gyms: ["see http://…@gym:1/a and https://…@gym"],
  });
});

test("a token of a gym is hidden under any name", () => {
  const token = `pal_${"a1".repeat(20)}`;
  expect(JSON.stringify(redacted({ notes: [`used ${token}`] }))).not.toContain(token);
});
