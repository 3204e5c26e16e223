/** Shapes that tables of texts share. Tests check data files with them, since the readers of the files check nothing. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { root } from "./tracked-files.js";

/** A list of different texts, with at least one entry. */
export const distinct = z.array(z.string().min(1)).min(1).refine(areDifferent, "expected different texts");

/** A sentence whose placeholders, such as `{v}` or `{V}`, are among these. */
export function sentence(...placeholders: readonly string[]) {
  return z
    .string()
    .refine(
      (text) => placeholdersOf(text).every((name) => placeholders.includes(name)),
      `expected no placeholders but ${placeholders.map((name) => `{${name}}`).join(", ") || "none"}`,
    );
}

/** A list of different sentences with these placeholders. */
export function sentences(...placeholders: readonly string[]) {
  return z
    .array(sentence(...placeholders))
    .min(1)
    .refine(areDifferent, "expected different sentences");
}

function areDifferent(texts: readonly string[]): boolean {
  return new Set(texts).size === texts.length;
}

function placeholdersOf(text: string): string[] {
  return [...text.matchAll(/\{([^}]*)\}/g)].map(([, name = ""]) => name.charAt(0).toLowerCase() + name.slice(1));
}

/**
 * Declares a test for each data file of a folder: the value that its reader gives has the shape, and no file lacks one.
 *
 * @param folder path from the root
 * @param shapes reader and shape by the name of the file
 */
export function testDataFiles(
  folder: string,
  shapes: Readonly<Record<string, readonly [read: () => unknown, shape: z.ZodType]>>,
) {
  test(`every file of ${folder} has a shape`, () => {
    expect(readdirSync(join(root, folder)).sort()).toEqual(Object.keys(shapes).sort());
  });

  test.each(Object.entries(shapes))(`${folder}/%s has its shape`, (_file, [read, shape]) => {
    const { error } = shape.safeParse(read());
    expect(error && z.prettifyError(error)).toBeUndefined();
  });
}
