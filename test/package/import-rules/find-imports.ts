import { parseSync } from "oxc-parser";

/** One module that a file names; without a specifier where a program computes it. */
export interface Import {
  readonly specifier: string | undefined;
}

/**
 * Everything that a TypeScript file imports, in the order of the text: also what only types need, which a
 * compiler erases but a reader has to follow all the same.
 */
export function findImports(file: string, source: string): readonly Import[] {
  const { program, comments, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const references = comments.flatMap((comment) => {
    const match = /^\/\s*<reference\s+(?:types|path)="([^"]+)"/.exec(comment.value);
    return match ? [{ specifier: match[1] }] : [];
  });
  const found: Import[] = [];
  walk(program, found);
  return [...references, ...found];
}

type Node = Readonly<Record<string, unknown>>;

function walk(value: unknown, found: Import[]): void {
  if (Array.isArray(value)) {
    for (const item of value) walk(item, found);
  } else if (typeof value === "object" && value !== null) {
    const node = value as Node;
    const named = importedBy(node);
    if (named !== undefined) found.push({ specifier: literal(named) });
    for (const child of Object.values(node)) walk(child, found);
  }
}

function importedBy(node: Node): unknown {
  switch (node.type) {
    case "ImportDeclaration":
    case "ImportExpression":
    case "TSImportType":
    case "ExportAllDeclaration":
      return node.source;
    case "ExportNamedDeclaration":
      return node.source ?? undefined;
    case "TSExternalModuleReference":
      return node.expression;
    case "CallExpression":
      return isRequire(node.callee) ? (node.arguments as readonly unknown[])[0] : undefined;
    default:
      return undefined;
  }
}

function isRequire(callee: unknown): boolean {
  return (callee as Node).type === "Identifier" && (callee as Node).name === "require";
}

function literal(value: unknown): string | undefined {
  const text = (value as Node).value;
  return typeof text === "string" ? text : undefined;
}
