/** The rule for links of an agent that may be copied to the grading machine. */
import { posix } from "node:path";

/** Folders with programs, which contain no secrets of a task. */
const programFolders = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];

/**
 * Whether a link leads to a copied folder or to programs. A link to the tests would let an agent submit the expected
 * answer.
 *
 * `..` is accepted only at the start of a target. A name before `..` may be a link itself, so the path could lead
 * anywhere.
 *
 * @param at absolute path of the link. The folder of the link must not be a link
 * @param folders absolute paths of the copied folders
 */
export function isKeptLink(at: string, target: string, folders: readonly string[]): boolean {
  if (target === "" || target.includes("\0")) return false;
  const path = target.startsWith("/") ? target : `${posix.dirname(at)}/${target}`;
  const afterUps = target.replace(/^(\.\.?(\/+|$))+/, "");
  if (afterUps.split("/").includes("..")) return false;
  const whole = posix.normalize(path).replace(/(?<=.)\/$/, "");
  return [...folders, ...programFolders].some((folder) => whole === folder || whole.startsWith(`${folder}/`));
}
