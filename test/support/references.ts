/** Files that a TypeScript source refers to, read by the TypeScript parser. */
import { posix } from "node:path";
import ts from "typescript";

export type ReferenceKind = "types" | "import" | "program";

export interface Reference {
  specifier: string;
  kind: ReferenceKind;
}

export function bare(file: string): string {
  return file.replace(/(\.d)?\.[cm]?[jt]sx?$/, "");
}

/** Path of a file of the repository from the root, or undefined for a package or a module of Node. */
export function targetOf(file: string, specifier: string): string | undefined {
  if (specifier.startsWith("#palestra/")) return specifier.slice("#palestra/".length);
  return specifier.startsWith(".") ? posix.join(posix.dirname(file), specifier) : undefined;
}

/** Lists the imports and exports of a source, and every other string that is a relative path (worker URLs, data). */
export function referencesOf(file: string, text: string): Reference[] {
  const references: Reference[] = [];
  const visit = (node: ts.Node): void => {
    const reference = referenceAt(node);
    if (reference) references.push(reference);
    else ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return references;
}

function referenceAt(node: ts.Node): Reference | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
    return (
      node.moduleSpecifier && { specifier: textOf(node.moduleSpecifier), kind: isTypeOnly(node) ? "types" : "import" }
    );
  }
  if (ts.isImportTypeNode(node)) return { specifier: node.argument.getText().slice(1, -1), kind: "types" };
  if (ts.isExternalModuleReference(node)) return { specifier: textOf(node.expression), kind: "import" };
  if (isLoadingCall(node)) return { specifier: textOf(node.arguments[0]), kind: "import" };
  if (isText(node) && /^\.\.?\/\S*$/.test(textOf(node))) return { specifier: textOf(node), kind: "program" };
  return undefined;
}

function isTypeOnly(node: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(node)) {
    const names = node.exportClause && ts.isNamedExports(node.exportClause) ? node.exportClause.elements : [];
    return node.isTypeOnly || (names.length > 0 && names.every((name) => name.isTypeOnly));
  }
  const clause = node.importClause;
  if (!clause || clause.isTypeOnly) return clause !== undefined;
  const named = clause.namedBindings;
  const names = named && ts.isNamedImports(named) ? named.elements : [];
  return clause.name === undefined && names.length > 0 && names.every((name) => name.isTypeOnly);
}

/** `import("...")`, `require("...")` and `import.meta.resolve("...")`. */
function isLoadingCall(node: ts.Node): node is ts.CallExpression {
  if (!ts.isCallExpression(node) || !isText(node.arguments[0])) return false;
  const callee = node.expression.getText();
  return (
    node.expression.kind === ts.SyntaxKind.ImportKeyword || /^(require|(import\.meta|require)\.resolve)$/.test(callee)
  );
}

function isText(node: ts.Node | undefined): node is ts.StringLiteralLike | ts.TemplateHead {
  return node !== undefined && (ts.isStringLiteralLike(node) || ts.isTemplateHead(node));
}

function textOf(node: ts.Node | undefined): string {
  return isText(node) ? node.text : "";
}
