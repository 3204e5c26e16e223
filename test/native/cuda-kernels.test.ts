/** The CUDA kernels compile for every supported device and spill no registers. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

interface Kernel {
  file: string;
  name: string;
  target: string;
  registers: number;
  /** Bytes of registers that a thread spills to memory. */
  spilled: number;
  /** Shared memory of a block in bytes, without the memory requested at launch. */
  sharedBytes: number;
}

const driver = new URL("../../.config/build-native.mjs", import.meta.url);
const { buildKernels } = (await import(driver.href)) as {
  buildKernels(): Promise<{ folder: string; reason?: undefined } | { folder?: undefined; reason: string }>;
};
const nvccFinder = new URL("../../.config/nvcc.mjs", import.meta.url);
const { findNvcc } = (await import(nvccFinder.href)) as { findNvcc(): string };
const native = fileURLToPath(new URL("../../native", import.meta.url));
const files = readdirSync(join(native, "ops/cuda/kernels"), { recursive: true, encoding: "utf8" });
const sources = files.filter((file) => file.endsWith(".cu")).map((file) => basename(file, ".cu"));
const { folder, reason } = await buildKernels();

if (folder === undefined) {
  test("the CUDA kernels are built", (context) => {
    if (!reason.includes("found none")) throw new Error(reason);
    context.skip(reason);
  });
} else {
  test("the folder has kernels", () => expect(sources).not.toEqual([]));

  describe("each kernel waits for the previous one before it accesses memory, as overlapping launches require", () => {
    test.each([
      "rows/activation",
      "gemm/gemm-hopper",
      "attention/flash-forward-hopper",
      "attention/flash-gradient-hopper",
    ])("%s.cu", (file) => {
      const options = ["-std=c++17", "-ptx", "-arch=compute_90a", "-I", native, "-o", "-"];
      const source = join(native, `ops/cuda/kernels/${file}.cu`);
      const ptx = execFileSync(findNvcc(), [...options, source], { encoding: "utf8", maxBuffer: 64 << 20 });
      const kernels = ptx.split(".entry").slice(1);
      expect(kernels.length).toBeGreaterThan(1);
      for (const kernel of kernels) {
        const [before, after] = kernel.split("griddepcontrol.wait;");
        expect(before).not.toMatch(/\b(ld|st|cp|atom|prefetch|mbarrier)\b[.\w]*\.(global|async|volatile|shared)/);
        expect(before).toContain("griddepcontrol.launch_dependents;");
        expect(after).toMatch(/\bst\.global/);
      }
    });

    test("only PALESTRA_KERNEL declares kernels", () => {
      const texts = files.filter((file) => /\.(cu|h)$/.test(file));
      const makers = texts.filter((file) =>
        readFileSync(join(native, "ops/cuda/kernels", file), "utf8").includes("__global__"),
      );
      expect(makers).toEqual(["simt/simt-device.h"]);
    });
  });

  const kernels = sources.flatMap((file) => readReport(file, readFileSync(join(folder, `${file}.ptxas`), "utf8")));
  console.log(table(kernels));

  describe.each(sources)("%s.cu", (file) => {
    const own = kernels.filter((kernel) => kernel.file === file);

    test("has code for each device architecture", () => {
      const targets = file.endsWith("-hopper") ? ["sm_90a"] : ["sm_80", "sm_90a"];
      expect([...new Set(own.map(({ target }) => target))].sort()).toEqual(targets);
    });

    test("spills no registers", () => {
      expect(own.filter(({ spilled }) => spilled > 0)).toEqual([]);
    });
  });
}

/** Parses the output of `nvcc -Xptxas -v` for a file. */
function readReport(file: string, text: string): Kernel[] {
  return text
    .split("Compiling entry function")
    .slice(1)
    .map((part) => {
      const [, name = "", target = ""] = /^ '(\w+)' for '(\w+)'/.exec(part) ?? [];
      const number = (pattern: RegExp) => Number(pattern.exec(part)?.[1] ?? 0);
      return {
        file,
        name,
        target,
        registers: number(/Used (\d+) registers/),
        spilled: number(/(\d+) bytes spill stores/) + number(/(\d+) bytes spill loads/),
        sharedBytes: number(/(\d+) bytes smem/),
      };
    });
}

/** Table of the registers of each kernel, with one column per device. */
function table(kernels: Kernel[]): string {
  const names = [...new Set(kernels.map(({ name }) => name))];
  const cell = (name: string, target: string) => {
    const kernel = kernels.find((one) => one.name === name && one.target === target);
    return kernel ? `${kernel.registers}${kernel.sharedBytes > 0 ? ` +${kernel.sharedBytes} B` : ""}` : "-";
  };
  const row = (name: string, ...cells: string[]) => name.padEnd(40) + cells.map((text) => text.padStart(10)).join("");
  const rows = names.map((name) => row(name, cell(name, "sm_80"), cell(name, "sm_90a")));
  return [row("registers a thread", "sm_80", "sm_90a"), ...rows].join("\n");
}
