/** Builds of dist/ with and without the type check, in a project with one source file. */
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./support/server-process.js";
import { scratch } from "./support/serving.js";

const wrongType = 'export const answer: number = "forty-two";\n';

function project(source: string): { folder: string; build(checkTypes: boolean): string } {
  const folder = scratch();
  for (const name of ["server", ".config"]) mkdirSync(join(folder, name));
  for (const name of ["step.mjs", "build.mjs", "library.mjs"])
    copyFileSync(join(root, ".config", name), join(folder, ".config", name));
  for (const name of ["package.json", "package-lock.json"]) copyFileSync(join(root, name), join(folder, name));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const options = { module: "NodeNext", target: "ES2023", rootDir: ".", outDir: "dist", strict: true, sourceMap: true };
  const compilerOptions = { ...options, incremental: true, tsBuildInfoFile: "dist/.tsbuildinfo", types: [] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["server"] }));
  writeFileSync(join(folder, "server/answer.ts"), source);
  const build = (checkTypes: boolean) => {
    const program = `import { build } from "./.config/build.mjs"; console.log(await build({ checkTypes: ${checkTypes} }));`;
    const args = ["--input-type=module", "-e", program];
    return execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8", stdio: "pipe" }).trim();
  };
  return { folder, build };
}

test("a first build without the type check is usable, and the next build with the check catches up", () => {
  const { folder, build } = project(wrongType);
  expect(build(false)).toBe("true");
  expect(existsSync(join(folder, "dist/server/answer.js"))).toBe(true);
  expect(build(false)).toBe("false");
  expect(() => build(true)).toThrow("Type 'string' is not assignable to type 'number'");
});

test("a build with the type check is also up to date for a build without it", () => {
  const { build } = project("export const answer: number = 42;\n");
  expect(build(true)).toBe("true");
  expect(build(false)).toBe("false");
  expect(build(true)).toBe("false");
});

test("a source that changes after an unchecked build is type-checked", () => {
  const { folder, build } = project("export const answer: number = 42;\n");
  expect(build(false)).toBe("true");
  writeFileSync(join(folder, "server/answer.ts"), wrongType);
  expect(() => build(false)).toThrow("Type 'string' is not assignable to type 'number'");
});
