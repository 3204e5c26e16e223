/** The hand-written CUDA declarations of native/ops/cuda equal those of NVIDIA's headers, if installed. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";

const driver = new URL("../../.config/nvcc.mjs", import.meta.url);
const { findCudaHeader } = (await import(driver.href)) as { findCudaHeader(name: string): string | undefined };
const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "palestra-abi-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const compiler = process.env.CXX ?? "c++";
const hasCompiler = spawnSync(compiler, ["--version"]).status === 0;

describe.each([
  [
    "driver/cuda-abi.h",
    "driver-abi.cc",
    "cuda.h",
    "CUDA_ERROR_NO_DEVICE = 100",
    "CUDA_ERROR_NO_DEVICE = 101",
    "int ordinal",
  ],
  ["cublas/cublas-abi.h", "cublas-abi.cc", "cublas_v2.h", "CUBLAS_OP_T = 1", "CUBLAS_OP_T = 2", "int lda"],
])("%s", (ours, check, theirs, right, wrong, parameter) => {
  const header = findCudaHeader(theirs);
  const path = join(root, "native/ops/cuda", ours);
  const text = readFileSync(path, "utf8");
  const reason = header ? (hasCompiler ? "" : `expected ${compiler}`) : `expected ${theirs}, but found none`;

  test(`agrees with ${theirs}`, (context) => {
    if (!header || reason) return context.skip(reason);
    expect(compile(check, header, text)).toBe("");
  });

  test(`with a changed value or parameter disagrees with ${theirs}`, (context) => {
    if (!header || reason) return context.skip(reason);
    expect(compile(check, header, text, text.replace(right, wrong))).toContain(
      `static assertion failed: ${right.split(" ")[0]}`,
    );
    expect(compile(check, header, text, text.replace(parameter, parameter.replace("int", "long")))).toContain("error:");
  });

  /** Returns the compiler's output for the check, with our header unchanged or as `changed`. */
  function compile(source: string, header: string, original: string, changed = original): string {
    cpSync(join(root, "native/ops/cuda"), join(folder, "ops/cuda"), { recursive: true });
    writeFileSync(join(folder, "ops/cuda", ours), changed);
    const values = [...original.matchAll(/\b(CU[A-Z_]*[A-Z0-9_a-z]*) = -?\d+/g)].map(
      ([, name]) => `SAME_VALUE(${name})\n`,
    );
    expect(values.length).toBeGreaterThan(5);
    writeFileSync(join(folder, "values.h"), values.join(""));
    const includes = [folder, join(root, "native")].flatMap((path) => ["-I", path]);
    const system = ["-isystem", dirname(header), "-isystem", dirname(findCudaHeader("cuda.h") ?? header)];
    const file = join(root, "test/native/cuda-abi", source);
    const { status, stderr } = spawnSync(compiler, ["-std=c++17", "-fsyntax-only", ...includes, ...system, file]);
    return status === 0 ? "" : stderr.toString();
  }
});
