/**
 * Calls of tools in the forms of several models' chat templates. The templates are composed: each has the marks of one form,
 * and the roles of the default tokenizer. One model is cloned on all of them.
 */
import { describe, expect, test } from "vitest";
import { Tokenizer } from "#palestra/native/api/index.js";
import { buildTokenizer } from "#palestra/trainer/data/default-tokenizer.js";
import { EndpointError } from "#palestra/trainer/endpoint/protocol/errors.js";
import { templateMessage } from "#palestra/trainer/endpoint/protocol/message.js";
import { PromptFormat } from "#palestra/trainer/endpoint/protocol/prompt-format.js";
import { ReplyText } from "#palestra/trainer/endpoint/protocol/reply-text.js";
import { engineOfFile, temporaryFolder } from "../../native/tiny-models.js";
import { writeAgentModel } from "./agent-model.js";
import { type CallTemplate, callTemplates, type WrittenCall } from "./call-templates.js";
import { chat, claim, post, serve } from "./serving.js";

const properties = { shelf: { type: "string" }, count: { type: "integer" }, deep: { type: "object" } };
const tool = { type: "function" as const, function: { name: "lookup", parameters: { type: "object", properties } } };
const user = (content: string) => ({ role: "user" as const, content });
const call = (values: WrittenCall["arguments"]): WrittenCall => ({ name: "lookup", arguments: values });

const { definition, config } = buildTokenizer(["lookup"], { leastWordCount: 1 });
const formatOf = ({ template }: Pick<CallTemplate, "template">) =>
  new PromptFormat(new Tokenizer(definition, { ...config, chat_template: template }));

/** Arguments with what the marks of forms, JSON and line ends could be confused by. */
const given = [
  { shelf: "red" },
  { shelf: 'a "b" \\n c\nd', count: 7 },
  { shelf: "12", count: -1, deep: { shelf: ["x", { y: null }] } },
  { shelf: "" },
  {},
];

describe.each(callTemplates)("$name", (each) => {
  const format = formatOf(each);
  const read = (text: string) => format.callReader([tool])?.read(text);
  const bare = (text: string) => {
    const { content, calls = [] } = read(text) ?? {};
    return { content, calls: calls.map(({ name, arguments: values }) => ({ name, arguments: JSON.parse(values) })) };
  };

  test("is the form that its template writes", () => {
    expect(format.opening([user("find")], [tool]).length).toBeGreaterThan(format.opening([user("find")], []).length);
    for (const values of given) {
      if (each.form === "Llama 3" && Object.keys(values).length === 0) continue;
      const calls = [call(values)];
      expect(bare(each.write("", calls))).toEqual({ content: "", calls });
    }
  });

  test("has several calls in a reply, or one", () => {
    const calls = [call({ shelf: "red" }), call({ shelf: "blue", count: 2 })];
    const text = each.write("", calls);
    expect(bare(text)).toEqual(each.several ? { content: "", calls } : { content: text, calls: [] });
    expect(read(each.write("", each.several ? calls : calls.slice(0, 1)))?.calls.map(({ id }) => id)).toEqual(
      each.ids ?? (each.several ? [undefined, undefined] : [undefined]),
    );
  });

  test("is read from a growing reply, whose text is sent before the calls", () => {
    const content = each.form === "Llama 3" ? "" : "I will look.";
    const whole = `${each.write(content, [call({ shelf: "red" })])}`;
    for (const size of [1, 3, 7]) {
      const text = new ReplyText([], format.callReader([tool]));
      let sent = "";
      for (let at = 0; at < whole.length; at += size) sent += text.push(whole.slice(at, at + size));
      const { content: said, calls, rest } = text.end();
      expect([sent, rest, said, calls.length]).toEqual([content, "", content, 1]);
    }
  });

  test("stays text if the reply is cut off, or goes on after the calls", () => {
    const text = each.write("", [call({ shelf: "red", count: 2 })]);
    for (const reply of [text.slice(0, -3), text.slice(0, text.length / 2), `${text} And more.`])
      expect(bare(reply)).toEqual({ content: reply, calls: [] });
  });

  test("bridges from a call to its result as the template writes it", () => {
    const reply = templateMessage({
      role: "assistant",
      content: "",
      calls: [{ id: each.ids?.[0] ?? "call_1", ...call({ shelf: "red" }), arguments: '{"shelf":"red"}' }],
    });
    const said = [{ role: "tool", content: "key", tool_call_id: each.ids?.[0] ?? "call_1" }];
    const text = each.write("", [call({ shelf: "red" })]);
    const tokenizer = new Tokenizer(definition, { ...config, chat_template: each.template });
    const whole = tokenizer.decode(format.opening([user("find"), reply, ...said], [tool]));
    const bridge = format.bridge({ reply, text, last: undefined }, said, [tool]);
    // A reply that ended with its stop token is not closed twice.
    const closed = format.bridge({ reply, text, last: format.stopTokens[0] }, said, [tool]);
    expect(whole.endsWith(`${text}${tokenizer.decode(bridge ?? [])}`)).toBe(true);
    expect([...(bridge ?? [])]).toEqual([format.stopTokens[0], ...(closed ?? [])]);
    if (!each.stops || !each.several) return;
    // A reply that was stopped after its call gets what the template writes after the call.
    const end = text.indexOf(String(format.callEnds()[0])) + String(format.callEnds()[0]).length;
    const stopped = format.bridge({ reply, text: text.slice(0, end), last: undefined }, said, [tool]);
    expect(tokenizer.decode(stopped ?? [])).toBe(text.slice(end) + tokenizer.decode(bridge ?? []));
  });

  test("can end after one call, or refuses to", () => {
    const text = each.write("", [call({ shelf: "red" }), call({ shelf: "blue" })]);
    if (!each.stops) return expect(() => format.callEnds()).toThrow(EndpointError);
    const [end] = format.callEnds();
    if (each.several) {
      const first = text.slice(0, text.indexOf(String(end)) + String(end).length);
      expect(bare(first)).toEqual({ content: "", calls: [call({ shelf: "red" })] });
    } else expect(end).toBeUndefined();
  });
});

const shelves = ["red", "blue"];
const finds = callTemplates.map((_, at) => `find ${at}`);
const dialogues = callTemplates.map((each, at) => {
  const count = each.several ? 2 : 1;
  const calls = shelves.slice(0, count).map((shelf) => call({ shelf }));
  const tool_calls = calls.map((made, index) => ({ id: each.ids?.[index] ?? "call_1", function: made }));
  const results = calls.map((_, index) => ({ role: "tool", content: "key", tool_call_id: tool_calls[index]?.id }));
  const written = each.form === "DeepSeek" && each.template.includes("+ c.function.arguments +");
  const styled = tool_calls.map(({ id, function: { name, arguments: values } }) => ({
    id,
    function: { name, arguments: written ? JSON.stringify(values).replace(/":/g, '": ') : values },
  }));
  const said = { role: "assistant", content: "", tool_calls: styled };
  return {
    template: each.template,
    tools: [tool],
    messages: [user(finds[at] as string), said, ...results, { role: "assistant", content: "key" }],
  };
});

const engine = await engineOfFile(1);
const texts = [
  JSON.stringify(tool),
  ...finds,
  ...callTemplates.map(({ write }) => write("", [call({ shelf: "red" })])),
  "blue key",
];
const model =
  engine &&
  (await engine.loadModel(
    await writeAgentModel(engine, temporaryFolder(), { texts, context: 1024, dialogues, epochs: 100 }),
  ));

describe.each(callTemplates.map((each, at) => ({ ...each, at })))("a model that calls as $name", (each) => {
  const count = each.several ? 2 : 1;

  const { definition: own, config: ownConfig } = model?.tokenizer ?? { definition: {}, config: {} };
  const serving = () => {
    const format = new PromptFormat(new Tokenizer(own, { ...ownConfig, chat_template: each.template }));
    return serve(model, {}, { format, context: 1024, maxNewTokens: 400, temperature: 0.1, evalTemperature: 0 });
  };
  const asked = [user(`find ${each.at}`)];

  test("has one row for its calls, their results and the answer", async () => {
    const { url, seat } = await serving();
    const group = seat();
    group.catch(() => {});
    const rollout = await claim(url);
    const { body } = await chat(rollout, asked, { tools: [tool] });
    const [{ message, finish_reason: finish, token_ids: first }] = body.choices;
    expect([finish, message.content, message.tool_calls.length]).toEqual(["tool_calls", null, count]);
    const made = message.tool_calls.map((one: { function: { arguments: string } }) =>
      JSON.parse(one.function.arguments),
    );
    expect(made).toEqual(shelves.slice(0, count).map((shelf) => ({ shelf })));
    const named = message.tool_calls.map(({ id }: { id: string }) => id);
    if (each.ids) expect(named).toEqual(each.ids);
    const results = named.map((id: string) => ({ role: "tool", content: "key", tool_call_id: id }));
    const { body: next } = await chat(rollout, [...asked, message, ...results], { tools: [tool] });
    expect(next.choices[0].message).toMatchObject({ content: "key" });
    const before = [...body.prompt_token_ids, ...first];
    expect(next.prompt_token_ids.slice(0, before.length)).toEqual(before);
    expect(next.usage.prompt_tokens_details.cached_tokens).toBe(before.length);
    await post(`${url}/rollouts/${rollout.id}/reward`, { reward: 1, end: true });
    expect((await group).trajectories).toHaveLength(1);
  });

  test("streams its calls as whole replies have them", async () => {
    const { url } = await serving();
    const rollout = await claim(url, "task", "eval");
    const { body } = await chat(rollout, asked, { tools: [tool] });
    const response = await fetch(`${rollout.base_url}/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: "m", messages: asked, tools: [tool], stream: true }),
    });
    const events = (await response.text()).split("\n\n").filter((event) => event.startsWith("data: {"));
    const deltas = events.map((event) => JSON.parse(event.slice(6)).choices[0].delta);
    expect(deltas.map(({ content }) => content ?? "").join("")).toBe("");
    const streamed = deltas.flatMap(({ tool_calls }) => tool_calls ?? []);
    expect(streamed.map((one) => one.function)).toEqual(
      body.choices[0].message.tool_calls.map((one: { function: object }) => one.function),
    );
  });

  test("ends after one call if only one is wanted, or refuses to", async () => {
    const { url } = await serving();
    const more = { tools: [tool], parallel_tool_calls: false };
    const { status, body } = await chat(await claim(url, "task", "eval"), asked, more);
    if (!each.stops)
      return expect([status, body.error.param, body.error.code]).toEqual([
        ...[400, "parallel_tool_calls", "unsupported_parameter"],
      ]);
    expect(body.choices[0].message.tool_calls).toHaveLength(1);
  });
});
