/** The files of a project. The text of a file is generated when the file is first read. */
import { Random } from "../../../seed/random.js";
import type { Blob, Project } from "../records.js";
import { late, withLate } from "./late.js";
import { capital, filled, type ProjectStub, readData, saySome, subjectOf } from "./phrases.js";
import { stubs } from "./projects.js";

/** Patterns for the names and contents of source files in one programming language. */
interface Snippets {
  ext: string;
  /** Path of a source file, in which `%` stands for the name of the file. */
  src: string;
  test: string;
  manifest: string;
  head: readonly string[];
  body: readonly string[];
}

let known: Readonly<Record<string, Snippets>> | undefined;

export function snippetsOf(language: string): Snippets {
  known ??= readData<Record<string, Snippets>>("snippets");
  return known[language] as Snippets;
}

const kebab = (part: string) => part.toLowerCase().replaceAll(" ", "-");
const snake = (part: string) => part.toLowerCase().replaceAll(/[ -]/g, "_");
const pascal = (part: string) => part.split(/[ -]/).map(capital).join("");

/** Returns the path of the source file or test file of a project's part. */
export function fileOf(part: string, { language }: Pick<ProjectStub, "language">, isTest = false): string {
  const { src, test } = snippetsOf(language);
  const name = ["java", "kotlin", "swift", "php"].includes(language)
    ? pascal(part)
    : ["python", "rust", "go", "c", "cpp", "ruby"].includes(language)
      ? snake(part)
      : kebab(part);
  return (isTest ? test : src).replace("%", name);
}

export function licenseFile(project: Project): string {
  return project.id % 5 === 2 ? "LICENSE.txt" : "LICENSE";
}

function pathsOf(project: Project, stub: ProjectStub, random: Random): string[] {
  const { manifest } = snippetsOf(stub.language);
  const isPage = ["html", "css", "javascript"].includes(stub.language);
  return [
    "README.md",
    licenseFile(project),
    ".gitignore",
    "CHANGELOG.md",
    manifest,
    ...(random.chance(0.5) ? ["CONTRIBUTING.md"] : []),
    ...(random.chance(0.4) ? ["docs/usage.md"] : []),
    ...(isPage ? ["index.html", "styles.css"] : []),
    ...stub.parts.map((part) => fileOf(part, stub)),
    ...stub.parts.filter(() => random.chance(0.4)).map((part) => fileOf(part, stub, true)),
  ];
}

export function lateBlob(id: number, make: (random: Random) => string): Blob {
  return withLate({ id }, "text", late(`forge blob ${id}`, make));
}

/**
 * Creates the files of all default branches. Returns the blobs, and for each project the ids of its blobs by file path.
 */
export function seedFiles(projects: readonly Project[]): { blobs: Blob[]; trees: Record<string, number>[] } {
  const random = Random.of("forge files");
  const blobs: Blob[] = [];
  const trees = projects.map((project) => {
    const stub = stubs()[project.id - 1] as ProjectStub;
    const paths = pathsOf(project, stub, random).sort();
    return Object.fromEntries(
      paths.map((path, at) => {
        const id = project.id * 1000 + at;
        blobs.push(lateBlob(id, (own) => textOf(path, project, stub, own)));
        return [path, id];
      }),
    );
  });
  return { blobs, trees };
}

function textOf(path: string, project: Project, stub: ProjectStub, random: Random): string {
  const year = new Date(project.created).getUTCFullYear();
  switch (path) {
    case "README.md":
      return readme(project, stub, random);
    case "LICENSE":
    case "LICENSE.txt":
      return `${random.choice(["Apache License 2.0", "BSD 2-Clause License", "GNU General Public License v3.0", "Mozilla Public License 2.0"])}\n\nCopyright ${year} the authors of ${project.name}\n`;
    case ".gitignore":
      return "build/\ndist/\n*.log\n.env\n";
    case "CHANGELOG.md":
      return changelog(stub, random);
    case "CONTRIBUTING.md":
      return `# Contributing\n\n1. Open an issue first.\n2. Keep changes to the ${stub.parts[0]} small.\n3. Add a test.\n\nReviews take about ${random.between(2, 9)} days.\n`;
    case "docs/usage.md":
      return `# Usage\n\n${saySome("docsBody", 2, subjectOf(stub, random), random).join(" ")}\n\n    ${project.path} --help\n`;
    case "index.html":
      return `<!doctype html>\n<html lang="en">\n<head>\n  <meta charset="utf-8">\n  <title>${project.name}</title>\n  <link rel="stylesheet" href="styles.css">\n</head>\n<body>\n  <h1>${project.name}</h1>\n  <p>${project.description}.</p>\n</body>\n</html>\n`;
    case "styles.css":
      return `body {\n  margin: ${random.between(1, 4)}rem auto;\n  max-width: ${random.between(50, 80)}ch;\n  font: 1rem/1.5 sans-serif;\n}\n`;
    default:
      return path === snippetsOf(stub.language).manifest ? manifest(path, project, random) : source(path, stub, random);
  }
}

function manifest(path: string, { path: name, description }: Project, random: Random): string {
  const version = `${random.between(0, 4)}.${random.between(0, 14)}.${random.between(0, 9)}`;
  if (path === "package.json" || path === "composer.json")
    return `${JSON.stringify({ name, version, description, license: "see LICENSE", scripts: { test: "run-tests" } }, null, 2)}\n`;
  if (path === "go.mod") return `module forge.test/${name}\n\ngo 1.21\n`;
  if (path === "Makefile") return `NAME = ${name}\nVERSION = ${version}\n\nall: build\n\ntest: build\n\t./run-tests\n`;
  return `name = "${name}"\nversion = "${version}"\ndescription = "${description}"\n`;
}

function readme(project: Project, stub: ProjectStub, random: Random): string {
  const { parts } = stub;
  const install = {
    python: "pip install",
    javascript: "npm install",
    typescript: "npm install",
    rust: "cargo install",
  };
  const command = (install as Record<string, string>)[stub.language] ?? "make install #";
  return [
    `# ${project.name}`,
    `${project.description}.`,
    `## Install\n\n\`\`\`\n${command} ${project.path}\n\`\`\``,
    `## What is in it\n\n${parts.map((part) => `- **${capital(part)}** in \`${fileOf(part, stub)}\``).join("\n")}`,
    `## Status\n\n${random.choice(["In daily use.", "Young, and changing.", "Stable. Bugs are fixed, little is added.", "Looking for a second maintainer."])} ${saySome("choreBody", 1, subjectOf(stub, random), random)[0]}`,
    `## License\n\nSee \`${licenseFile(project)}\`.`,
    "",
  ].join("\n\n");
}

function changelog(stub: ProjectStub, random: Random): string {
  const major = random.between(0, 3);
  const entries = [5, 4, 3, 2, 1].map((minor) => {
    const lines = saySome("commit", random.between(2, 4), subjectOf(stub, random), random);
    return `## ${major}.${minor}\n\n${lines.map((line) => `- ${line}`).join("\n")}\n`;
  });
  return `# Changes\n\n${entries.join("\n")}`;
}

/** Returns the text of a source file. The path determines to which part of the project the file belongs. */
function source(path: string, stub: ProjectStub, random: Random): string {
  const { head, body } = snippetsOf(stub.language);
  const part = stub.parts.find((one) => [fileOf(one, stub), fileOf(one, stub, true)].includes(path)) ?? stub.path;
  const pieces = [random.choice(head), ...random.sample(body, Math.min(body.length, random.between(1, 4)))];
  return pieces.map((piece) => codeOf(piece, part, stub, random)).join("\n");
}

function codeOf(piece: string, part: string, stub: ProjectStub, random: Random): string {
  const words: Record<string, string> = {
    Part: capital(part),
    Type: pascal(part),
    snake: snake(part),
    kebab: kebab(part),
  };
  const known = piece.replace(/\{(Part|Type|snake|kebab)\}/g, (_, word: string) => words[word] as string);
  const subject = { stub, part, other: stub.parts.find((one) => one !== part) ?? part };
  return known.replace(/\{(part|other|name|n|big)\}/g, (slot) =>
    slot === "{part}" ? part : plain(slot, subject, random),
  );
}

function plain(slot: string, subject: Parameters<typeof filled>[1], random: Random): string {
  return slot === "{other}" ? subject.other : slot === "{name}" ? subject.stub.path : filled(slot, subject, random);
}

/** Returns the text of a file after a change that adds lines. */
export function changed(text: string, stub: ProjectStub, part: string, random: Random): string {
  const { body } = snippetsOf(stub.language);
  return `${text.trimEnd()}\n\n${codeOf(random.choice(body), part, stub, random)}`;
}
