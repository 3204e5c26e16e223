/** Decides which links of an agent may go along to the machine where it is graded. */
import { posix } from "node:path";

/** Folders with programs, which hold no secret of a task. */
const programFolders = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];

/**
 * Whether a link leads to the folders that go along with it, or to programs. A link to the tests would let an agent
 * hand in the expected answer.
 *
 * `..` counts only at the start of a target: behind a name, which may be a link itself, it could lead anywhere.
 *
 * @param at absolute path of the link, whose folder is no link
 * @param folders absolute paths of the folders that go along
 */
export function isKeptLink(at: string, target: string, folders: readonly string[]): boolean {
  if (target === "" || target.includes("\0")) return false;
  const path = target.startsWith("/") ? target : `${posix.dirname(at)}/${target}`;
  const afterUps = target.replace(/^(\.\.?(\/+|$))+/, "");
  if (afterUps.split("/").includes("..")) return false;
  const whole = posix.normalize(path).replace(/(?<=.)\/$/, "");
  return [...folders, ...programFolders].some((folder) => whole === folder || whole.startsWith(`${folder}/`));
}
