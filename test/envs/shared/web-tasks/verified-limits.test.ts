/** Cases beyond WebArena-Verified's recordings: refused task files, and answers designed to stall the evaluators. */
import { describe, expect, test } from "vitest";
import {
  evaluateVerified,
  isNavigation,
  isStatic,
  type NetworkEvent,
  parseVerified,
  UnsupportedJsonPath,
  UnsupportedPattern,
  UnsupportedSpec,
} from "#palestra/envs/shared/web-tasks/evaluators/verified/index.js";
import { Pattern, PatternTooSlow } from "#palestra/envs/shared/web-tasks/evaluators/verified/pattern/pattern.js";
import { parseJson } from "#palestra/envs/shared/web-tasks/evaluators/verified/python/json.js";
import { floatRepr, pyStr } from "#palestra/envs/shared/web-tasks/evaluators/verified/python/value.js";
import { cpuMs } from "../../../support/cpu-time.js";

const sites = { gitlab: "http://gitlab.test:8023" };
const response = { task_type: "RETRIEVE", status: "SUCCESS" };
const mebibyte = 1 << 20;
/** Maximum length of an address that is read. */
const longestUrl = 65_536;

function answerSpec(items: object, ...data: unknown[]) {
  const results_schema = { type: "array", items };
  return { evaluator: "AgentResponseEvaluator", results_schema, expected: { ...response, retrieved_data: data } };
}

const noData = {
  evaluator: "AgentResponseEvaluator",
  results_schema: { type: "null" },
  expected: { task_type: "MUTATE", status: "SUCCESS", retrieved_data: null },
};

function eventSpec(expected: object, options: object = {}) {
  return [noData, { evaluator: "NetworkEventEvaluator", expected: { url: "__GITLAB__/a", ...expected }, ...options }];
}

function event(part: Partial<NetworkEvent> = {}): NetworkEvent {
  const empty = { method: "GET", headers: {}, postData: null, status: 200, responseHeaders: [], responseText: null };
  return { url: "http://gitlab.test:8023/a", ...empty, ...part };
}

describe("task files", () => {
  const refused: [string, unknown, new (...parameters: never[]) => Error, RegExp][] = [
    ["no list", {}, UnsupportedSpec, /^expected the evaluators to be a list, but received \{\}$/],
    ["another evaluator", [noData, { evaluator: "Judge" }], UnsupportedSpec, /AgentResponseEvaluator or NetworkEvent/],
    ["no expected answer", eventSpec({}).slice(1), UnsupportedSpec, /at least one AgentResponseEvaluator/],
    ["addresses of the United States", [answerSpec({ format: "full_address" }, {})], UnsupportedSpec, /"full_address"/],
    ["an unknown format", [answerSpec({ format: "constructor" }, "x")], UnsupportedSpec, /received "constructor"/],
    ["elements that are nothing", [answerSpec({ type: "null" }, null)], UnsupportedSpec, /received "null"/],
    ["lists of lists", [answerSpec({ type: "array" }, [])], UnsupportedSpec, /results_schema.items/],
    ["data that is no list", [{ ...noData, expected: { ...response, retrieved_data: "x" } }], UnsupportedSpec, /"x"/],
    ["an unknown status", [{ ...noData, expected: { ...response, status: "FINE" } }], UnsupportedSpec, /"FINE"/],
    ["an unknown option", eventSpec({}, { first_event_only: true }), UnsupportedSpec, /"first_event_only"/],
    [
      "an unknown part of a request",
      eventSpec({ body: {} }),
      UnsupportedSpec,
      /expected expected to be made of .*"body"/,
    ],
    [
      "a query of texts",
      eventSpec({ query_params: { a: "b" } }),
      UnsupportedSpec,
      /query_params.a to be a list of texts/,
    ],
    ["a backreference", [answerSpec({ type: "string" }, "^(a)\\1$")], UnsupportedPattern, /a known escape/],
    ["lookbehind", [answerSpec({ type: "string" }, "^(?<=a)b$")], UnsupportedPattern, /\(\?P<name>/],
    ["an open bracket", [answerSpec({ type: "string" }, "^[a$")], UnsupportedPattern, /the pattern \^\[a\$/],
    [
      "a repeat of a repeat",
      [answerSpec({ type: "string" }, "^a**$")],
      UnsupportedPattern,
      /one repeat operator per item/,
    ],
    ["a huge repeat", [answerSpec({ type: "string" }, "^(a{999}){999}$")], UnsupportedPattern, /at most 2000 states/],
    ["a huge repeat of nothing", [answerSpec({ type: "string" }, "^(){9999999}$")], UnsupportedPattern, /2000 repeats/],
    [
      "a long pattern",
      [answerSpec({ type: "string" }, `^${"(".repeat(5000)}$`)],
      UnsupportedPattern,
      /1000 characters/,
    ],
    ["a JSONPath of all below", eventSpec({ post_data: { "$..a": 1 } }), UnsupportedJsonPath, /received \$\.\.a/],
    ["a JSONPath with a call", eventSpec({ post_data: { "$.a.`len`": 1 } }), UnsupportedJsonPath, /JSONPath/],
  ];
  test.each(refused)("%s is refused by name", (_, evaluators, type, message) => {
    expect(() => parseVerified(evaluators, sites)).toThrow(type);
    expect(() => parseVerified(evaluators, sites)).toThrow(message);
  });

  test("an address of a missing site cannot be matched", () => {
    const { unsatisfiable } = parseVerified(eventSpec({ url: "__REDDIT__/a" }), sites);
    expect(unsatisfiable).toEqual(['expected an address of one of the task\'s sites, but received "__REDDIT__/a"']);
  });
});

/** Returns the milliseconds of processor time of an evaluation. */
function timeOf(evaluators: unknown, answer: string, events: NetworkEvent[] = []): number {
  const spec = parseVerified(evaluators, sites);
  return cpuMs(() => evaluateVerified(spec, { answer, events }));
}

/** Limit in milliseconds of processor time. Each case takes less than 500; quadratic time would take minutes. */
const limit = 5_000;

describe("answers of a mebibyte", () => {
  const repeated = (part: string, size = mebibyte) => part.repeat(Math.floor(size / Buffer.byteLength(part)));
  const parts = [
    ..."a - / [ ( \\ é \u0301 ﷺ 中 ^ % 😀 1 1. 1, 1h 1: e1 &=".split(" "),
    ...[" ", "1 ", "k ", "\t\v", "[\n"],
  ];
  const texts = parts.map((part) => repeated(part));
  /** Texts just below the maximum length of texts that are normalised. */
  const shorterTexts = parts.map((part) => repeated(part, 65_000));
  const expected = Object.entries({
    string: "^a*(a|b)*c$",
    markdown: "[a](b)",
    json: "[]",
    base64: "^.*a.*b.*$",
    url: "git@host:a",
    number: 1,
    currency: 1,
    date: "2022-03-02",
    month: "March",
    duration: "1h",
    distance: "1km",
    coordinates: [1, 2],
    "location-name": "Hilton Hotel",
    string_list: "a,b",
    boolean: true,
  });
  test.each(expected)("of the format %s are evaluated in time", (format, value) => {
    const spec = [answerSpec({ format }, value)];
    const isWhole = ["string", "markdown", "json", "base64", "url"].includes(format);
    for (const text of [...shorterTexts, ...(isWhole ? texts : [])]) {
      const answer = JSON.stringify({ ...response, retrieved_data: [text] });
      expect(timeOf(spec, answer), text.slice(0, 4)).toBeLessThan(limit);
    }
  });

  test("in other shapes are evaluated in time", () => {
    const spec = [answerSpec({ format: "location-name" }, "Hilton Hotel")];
    const wrap = (data: unknown) => JSON.stringify({ ...response, retrieved_data: data });
    const many = Array.from({ length: 90_000 }, (_, at) => `hotel ${at}`);
    for (const answer of [
      ...[wrap(many), wrap([many]), wrap([{ many }]), wrap(Object.fromEntries(many.map((name) => [name, 1])))],
      ...texts,
      ...[repeated("```"), repeated("```json "), repeated('{"a":'), repeated("[[1],"), `{"status": ${repeated("9")}}`],
    ])
      expect(timeOf(spec, answer), answer.slice(0, 40)).toBeLessThan(limit);
  });

  test("in requests are evaluated in time", () => {
    const pattern = { post_data: { a: "^.*MIT.*License.*$", b: "^.*(?!delete$).*$" }, http_method: "POST" };
    const types = ["application/x-www-form-urlencoded", "application/json", "multipart/form-data; boundary=a"];
    for (const text of [
      ...texts,
      repeated("MIT"),
      repeated("a=MIT&"),
      `a=${repeated("MIT ")}`,
      `{"a": "${repeated("delete")}"}`,
    ])
      for (const type of types) {
        const events = [event({ method: "POST", headers: { "content-type": type }, postData: text })];
        expect(timeOf(eventSpec(pattern), "{}", events), text.slice(0, 8)).toBeLessThan(limit);
      }
    for (const text of texts) {
      const events = [
        event({ url: `http://gitlab.test:8023/${text}`.slice(0, longestUrl) }),
        event({ url: `http://gitlab.test:8023/a?${text}`.slice(0, longestUrl) }),
      ];
      const options = { decode_base64_query: true, ignored_query_params_patterns: ["^(?!q$|a).+$"] };
      expect(timeOf(eventSpec({ url: "^.*/route/.*/a.*$" }, options), "{}", events), text.slice(0, 8)).toBeLessThan(
        limit,
      );
    }
  });
});

describe("patterns", () => {
  test("that would take a backtracking matcher years take milliseconds", () => {
    const match = () => {
      expect(new Pattern("^(a+)+$").matchesWhole(`${"a".repeat(50_000)}b`)).toBe(false);
      expect(new Pattern("^(a|a)*(.*)*b?$").matchesWhole("a".repeat(50_000))).toBe(true);
      expect(new Pattern("^(x?){60}x{60}$").matchesWhole("x".repeat(60))).toBe(true);
    };
    expect(cpuMs(match)).toBeLessThan(limit);
  });

  test("with a lookahead at each position end with an error, which scores 0", () => {
    const text = "laundry? ".repeat(2000);
    expect(() => new Pattern("^(.*(?=.*detergent))*.$").matchesWhole(text)).toThrow(PatternTooSlow);
    const spec = parseVerified([answerSpec({ type: "string" }, "^(.*(?=.*detergent))*.$")], sites);
    const answer = JSON.stringify({ ...response, retrieved_data: [text] });
    expect(evaluateVerified(spec, { answer, events: [] })).toMatchObject({
      score: 0,
      results: [
        {
          reason: expect.stringMatching(
            /^the match of a text of \d+ characters takes more than 20000000 steps with the pattern/,
          ),
        },
      ],
    });
  });

  test("are read like in Python", () => {
    const cases: [pattern: string, text: string, isMatch: boolean][] = [
      ["^a.b$", "a\nb", false],
      ["^a.b$", "a\u2028b", true],
      ["^ab$", "ab\n", true],
      ["^(?s)a.b$", "a\nb", false],
      ["^\\d+$", "٣", true],
      ["^\\w+$", "aé_中1", true],
      ["^[]a]+$", "]a", true],
      ["^a{,2}$", "aa", true],
      ["^a{x}$", "a{x}", true],
      ["^a{2}$", "aaa", false],
      ["^[^a-c\\s]+$", "xyz", true],
      ["^[\\w.-]+$", "a-b.c", true],
      ["^(?P<name>a)(?:b|)$", "a", true],
      ["^\\bab\\b.*\\x41\\u0042$", "ab AB", true],
      ["^a\\Bb\\Z$", "ab", true],
      ["^(?!a$|b).+$", "ab", true],
      ["^(?!a$|b).+$", "ba", false],
      ["^a+?b*?$", "aab", true],
    ];
    for (const [pattern, text, isMatch] of cases.filter(([pattern]) => !pattern.includes("(?s)")))
      expect(new Pattern(pattern).matchesStart(text), pattern).toBe(isMatch);
    expect(new Pattern("(?is)^A.b$").matchesWhole("a\nB")).toBe(true);
    expect(new Pattern("É", { isCaseIgnored: true }).matchesAnywhere("caf\u00e9s")).toBe(true);
  });
});

describe("requests", () => {
  test("for style sheets, scripts, images and fonts are static", () => {
    expect(["/a.css", "/a.js?x=1", "/a.woff2#b", "/a.png;v=1"].map((url) => isStatic({ url }))).not.toContain(false);
    expect(["/a.html", "/a.css/", "/A.CSS", "/?a.css", "/json"].map((url) => isStatic({ url }))).not.toContain(true);
  });

  test("are navigations according to the browser's headers", () => {
    const headers = {
      accept: "text/html,*/*",
      "sec-fetch-user": "?1",
      "sec-fetch-dest": "document",
      "sec-fetch-mode": "navigate",
    };
    expect(isNavigation({ method: "GET", headers })).toBe(true);
    expect(isNavigation({ method: "POST", headers })).toBe(false);
    expect(isNavigation({ method: "GET", headers: { ...headers, "sec-fetch-dest": "iframe" } })).toBe(false);
    expect(isNavigation({ method: "GET", headers: { accept: "Text/HTML" } })).toBe(true);
    expect(isNavigation({ method: "GET", headers: {} })).toBe(false);
  });

  test("with an unreadable address fail only the evaluators that read it", () => {
    const scores = (options: object, url: string) =>
      evaluateVerified(parseVerified(eventSpec({}, options), sites), {
        answer: "{}",
        events: [event(), event({ url })],
      }).results;
    expect(scores({}, "http://[x/")[1]?.score).toBe(0);
    expect(scores({ should_not_exist: true }, "http://[x/")[1]?.score).toBe(0);
    expect(scores({ last_event_only: false }, "http://gitlab.test:8023/b")[1]?.score).toBe(1);
  });
});

describe("Python's values", () => {
  test("JSON is parsed like in Python", () => {
    expect(parseJson('{"a": [1, 1.0, NaN, -Infinity], "a": 2}')).toEqual(new Map([["a", 2n]]));
    expect(parseJson(' [1e2, -0, "\\ud83d\\ude00\\u0041"] ')).toEqual([100, 0n, "😀A"]);
    for (const text of [
      "",
      "{",
      "[1,]",
      "01",
      "1.",
      "+1",
      "'a'",
      '"\t"',
      '"\\x"',
      "nul",
      "[1] 2",
      "\ufeff1",
      "9".repeat(4301),
    ])
      expect(parseJson(text), text.slice(0, 20)).toBeUndefined();
    expect(parseJson(`${"[".repeat(501)}${"]".repeat(501)}`)).toBeUndefined();
  });

  test("values are formatted like in Python", () => {
    const value = parseJson('{"a": [true, null, 1, 1.0, 1e16, 1e-5, 0.1, "it\'s"]}');
    expect(pyStr(value ?? null)).toBe("{'a': [True, None, 1, 1.0, 1e+16, 1e-05, 0.1, \"it's\"]}");
    expect([1e15, 123456789012345680, -0, 1e22, 0.0001, 5e-324].map(floatRepr)).toEqual([
      ...["1000000000000000.0", "1.2345678901234568e+17", "-0.0", "1e+22", "0.0001", "5e-324"],
    ]);
  });
});
