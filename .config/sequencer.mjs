import { relative } from "node:path";
import { BaseSequencer } from "vitest/node";
import { root } from "./step.mjs";
import { durationOf } from "./test-files.mjs";

/**
 * Sorts the files of a project together, since they share processes, and the slowest of them first, since a late start would
 * leave one core busy at the end of the run. Files that have a process of their own come first.
 */
export class LongestFirst extends BaseSequencer {
  async sort(files) {
    const projects = ["alone", "long", "long-alone", "postgres", "shared"];
    const rank = ({ project, moduleId }) => ({
      at: projects.indexOf(project.name),
      seconds: durationOf(project.name, relative(root, moduleId)),
    });
    return files
      .map((file) => ({ file, ...rank(file) }))
      .sort((a, b) => a.at - b.at || b.seconds - a.seconds)
      .map(({ file }) => file);
  }
}
