/** Checks of the tools: their definitions are valid, and tool calls can express every action of the expert. */
import type { EnvironmentFacts, Tool, ToolParameters } from "../env.js";
import { toolsOf } from "../registry.js";
import { expectThat, mismatch } from "./expectations.js";
import { nameOf } from "./instance.js";
import { Skipped, type Subject } from "./subject.js";

const placeholder = /\{(\w+)\}/g;

export function checkTools({ spec }: Subject): string {
  const lists = toolLists(spec);
  if (lists.length === 0) throw new Skipped("the spec has no tools");
  for (const tools of lists) {
    const names = tools.map(({ name }) => name);
    expectThat(
      new Set(names).size === names.length && names.length > 0,
      "at least one tool, and a different name for each tool",
      names,
    );
    for (const tool of tools) checkTool(tool);
  }
  return lists.map((tools) => tools.map(({ name }) => name).join(", ")).join("; ");
}

function toolLists({ tools, options = {}, seats = {} }: EnvironmentFacts): (readonly Tool[])[] {
  const ofOptions = Object.values(options).flatMap(({ values }) => Object.values(values).map(({ tools }) => tools));
  const ofSeats = Object.values(seats).map(({ tools }) => tools);
  return [tools, ...ofOptions, ...ofSeats].filter((list) => list !== undefined);
}

function checkTool({ name, description, parameters, action }: Tool): void {
  expectThat(/^[a-z][a-z0-9_]*$/.test(name), "tool names of lower-case letters, digits and underscores", name);
  const isText = typeof description === "string" && description.trim() !== "";
  expectThat(isText, `the tool ${name} to have a description`, description);
  if (takesObject({ action })) return;
  checkParameters(name, parameters as ToolParameters, action);
}

/** Whether the action of a tool ends with all arguments as one JSON object. */
function takesObject({ action }: Pick<Tool, "action">): boolean {
  return action.endsWith(" {arguments}");
}

function checkParameters(name: string, parameters: ToolParameters, action: string): void {
  const names = Object.keys(parameters.properties);
  const used = [...action.matchAll(placeholder)].map(([, parameter]) => parameter as string);
  const same = (others: readonly string[]) => [...others].sort().join() === [...names].sort().join();
  expectThat(same(used), `the action of ${name} to contain each parameter once`, action);
  expectThat(same(parameters.required), `all parameters of ${name} to be required`, parameters.required);
  for (const [parameter, schema] of Object.entries(parameters.properties)) {
    const isList = schema.type === "array" && schema.items.type === "string";
    const fits = isList || schema.type === "string" || schema.type === "integer";
    expectThat(fits, `the parameter ${parameter} of ${name} to be a string, an integer or a list of strings`, schema);
  }
}

/** Checks that each action of the expert, up to the end of the task, can be expressed as a tool call. */
export async function checkExpertTools(subject: Subject): Promise<string> {
  const { spec, requests } = subject;
  if (!spec.expert) throw new Skipped("the spec has no expert");
  const used = new Set<string>();
  let actions = 0;
  for (const request of requests) {
    const tools = toolsOf(spec, request.options);
    if (tools.length === 0) continue;
    for (const action of await expertActions(subject, request)) {
      const tool = tools.find((each) => isSaidBy(action, each));
      if (!tool)
        throw mismatch("an action of the expert that a tool call can express", JSON.stringify(action), nameOf(request));
      used.add(tool.name);
      actions += 1;
    }
  }
  if (actions === 0) throw new Skipped("no task was played with tools");
  return `${actions} actions, as calls of ${[...used].join(", ")}`;
}

function expertActions(subject: Subject, request: Subject["requests"][number]): Promise<string[]> {
  return subject.withInstance(async (instance) => {
    await instance.reset(request);
    const actions: string[] = [];
    for (let terminated = false; !terminated && actions.length < subject.spec.maxSteps; ) {
      const action = await instance.advice();
      if (action === null) break;
      actions.push(action);
      ({ terminated } = await instance.step(action));
    }
    return actions;
  });
}

/** Whether a call of the tool with suitable arguments gives exactly this action. */
function isSaidBy(action: string, tool: Tool): boolean {
  const { action: template } = tool;
  if (takesObject(tool)) return isObjectBehind(action, template.replace("{arguments}", ""));
  const { properties } = tool.parameters as ToolParameters;
  const parts = template.split(/("\{\w+\}"|\{\w+\})/);
  const pattern = parts
    .map((part, at) => {
      if (at % 2 === 0) return part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
      if (part.startsWith('"')) return '"(?:[^"\\\\]|\\\\.)*"';
      if (properties[part.slice(1, -1)]?.type === "integer") return "(0|-?[1-9][0-9]*)";
      return at === parts.length - 2 && parts.at(-1) === "" ? "([^]*)" : "(.+)";
    })
    .join("");
  return new RegExp(`^${pattern}$`).test(action);
}

function isObjectBehind(action: string, prefix: string): boolean {
  try {
    const given: unknown = JSON.parse(action.startsWith(prefix) ? action.slice(prefix.length) : "");
    return typeof given === "object" && given !== null && !Array.isArray(given);
  } catch {
    return false;
  }
}
