import { expect, test } from "vitest";
import { textWithoutSecrets } from "#palestra/server/formats/secrets.js";

test.each([
  ["the token pal_abc-DEF_1 in a sentence", "the token pal_… in a sentence"],
  ["http://gym:8700/t/pal_abc/v1/episodes?a=1", "http://gym:8700/t/pal_…/v1/episodes?a=1"],
  ["/t/%70al_a%2Db", "/t/pal_…"],
  ["/t/%70%61%6C%5Fabc", "/t/pal_…"],
  ["wss://ada:secret@gym/v1/socket and HTTPS://bob@gym", "wss://…@gym/v1/socket and HTTPS://…@gym"],
  ["a palette, pal and pal_", "a palette, pal and pal_"],
])("%j is told as %j", (text, told) => {
  expect(textWithoutSecrets(text)).toBe(told);
});
