/** Decides which links of an agent may be copied to the grading machine. */
import { posix } from "node:path";

/** Folders with programs. They contain no secrets of a task. */
const programFolders = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];

/**
 * Whether a link points into a copied folder or a folder with programs. With a link to the tests, an agent could submit
 * the expected answer.
 *
 * `..` is accepted only at the start of a target. Later in the path, the name before `..` may itself be a link, so that
 * the path could point anywhere.
 *
 * @param at absolute path of the link, whose folder must not be a link
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
