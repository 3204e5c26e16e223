/** native/gpu-check reads the C ABI of engine.h like the compiler, and survives the loss of its child processes. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const native = fileURLToPath(new URL("../../native", import.meta.url));
const header = join(native, "engine.h");
const compiler = process.env.CXX ?? "c++";

interface Abi {
  /** Size of each struct, and the offset and size of its fields. */
  structs: Record<string, { size: number; fields: [string, number, number][] }>;
  /** Number of arguments of each function. */
  functions: Record<string, number>;
}

const program = `
import ctypes, json, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from abi import Abi
abi = Abi(Path(sys.argv[2]))
fields = lambda kind: [(name, getattr(kind, name).offset, getattr(kind, name).size) for name, _ in kind._fields_]
structs = {name: {"size": ctypes.sizeof(kind), "fields": fields(kind)} for name, kind in abi.structs.items()}
print(json.dumps({"structs": structs, "functions": {name: len(types) for name, types in abi.functions.items()}}))
`;

function abiOf(file: string): Abi {
  const { stdout, stderr } = spawnSync("python3", ["-B", "-c", program, join(native, "gpu-check"), file], {
    encoding: "utf8",
  });
  if (stdout === "") throw new Error(`expected python3 to read ${file}, but it said:\n${stderr}`);
  return JSON.parse(stdout) as Abi;
}

/** Returns the compiler's output for these claims about engine.h. */
function compile({ structs, functions }: Abi): string {
  const claims = Object.entries(structs).flatMap(([struct, { size, fields }]) => [
    `static_assert(sizeof(${struct}) == ${size}, "${struct}");`,
    ...fields.map(
      ([field, offset, bytes]) =>
        `static_assert(offsetof(${struct}, ${field}) == ${offset} && sizeof(${struct}::${field}) == ${bytes}, "${struct}.${field}");`,
    ),
  ]);
  const arities = Object.entries(functions).map(
    ([name, count]) => `static_assert(arity(&${name}) == ${count}, "${name}");`,
  );
  const source = [
    `#include "${header}"`,
    "template <class Result, class... Given> constexpr int arity(Result (*)(Given...)) { return sizeof...(Given); }",
    ...claims,
    ...arities,
  ].join("\n");
  const { status, stderr } = spawnSync(compiler, ["-std=c++17", "-fsyntax-only", "-xc++", "-"], { input: source });
  return status === 0 ? "" : stderr.toString();
}

const lacks = ["python3", compiler].filter((command) => spawnSync(command, ["--version"]).status !== 0);

test("structs and functions have the compiler's layout", (context) => {
  if (lacks.length > 0) return context.skip(`expected ${lacks.join(" and ")}`);
  const abi = abiOf(header);
  expect(compile(abi)).toBe("");
  const text = readFileSync(header, "utf8");
  expect(Object.keys(abi.functions)).toHaveLength(text.match(/^PALESTRA_API /gm)?.length ?? 0);
  expect(Object.keys(abi.structs)).toHaveLength(text.match(/^typedef struct \{$/gm)?.length ?? 0);
});

test("a field of another size and an extra argument are detected", (context) => {
  if (lacks.length > 0) return context.skip(`expected ${lacks.join(" and ")}`);
  const abi = abiOf(header);
  const [field] = (abi.structs.palestra_timing as Abi["structs"][string]).fields as [[string, number, number]];
  field[2] += 4;
  (abi.functions.palestra_engine_close as number) += 1;
  const told = compile(abi);
  expect(told).toContain("palestra_timing.op");
  expect(told).toContain("palestra_engine_close");
});

/** Runs each piece of work in its own process. Returns the results and the ends of the processes. */
const losing = `
import json, sys
sys.path += sys.argv[1:]
import apart, works

def outcome(how):
    def told():
        ended.append((yield from apart.apart(6, works.work, how)))
    ended, results = [], []
    try:
        results += told()
    except apart.Lost as lost:
        ended.append(str(lost))
    return results, ended

print(json.dumps({how: outcome(how) for how in ("ends", "fails", "faults", "hangs")}))
`;

const works = `
import os, time

def work(how):
    yield how
    if how == "fails":
        raise ValueError("of its own")
    if how == "faults":
        os._exit(3)
    if how == "hangs":
        time.sleep(60)
    return "all of it"
`;

test("work that is lost with its process is reported, and does not affect the rest", (context) => {
  if (spawnSync("python3", ["--version"]).status !== 0) return context.skip("expected python3");
  const folder = mkdtempSync(join(tmpdir(), "palestra-works-"));
  writeFileSync(join(folder, "works.py"), works);
  const program = ["-B", "-c", losing, join(native, "gpu-check"), folder];
  const { stdout, stderr } = spawnSync("python3", program, { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  expect(stdout, stderr).not.toBe("");
  expect(JSON.parse(stdout)).toEqual({
    ends: [["ends"], ["all of it"]],
    fails: [["fails"], ["ValueError: of its own"]],
    faults: [["faults"], ["its process ended with 3"]],
    hangs: [["hangs"], ["nothing came for 6 s"]],
  });
});
