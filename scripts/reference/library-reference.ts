/** The reference of the library, from the declarations that it exports and their comments. */
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { type Class, type Comment, type Node, parseSync, type VariableDeclarator } from "oxc-parser";
import { entries, packageName } from "../packaging/parts.ts";
import { projectRoot } from "../run-command.ts";

/** The parts that an application uses, in the order of the page. The lower layers have guides. */
const SHOWN = ["cairn-agent", "cairn-agent/testing", "cairn-agent/testing/wire", "@cairn/server/handler"];

interface Source {
  readonly path: string;
  readonly text: string;
  readonly body: readonly Node[];
  readonly comments: readonly Comment[];
}

interface Declared {
  readonly source: Source;
  /** The declaration, and the statement that exports it. */
  readonly nodes: readonly { readonly node: Node; readonly from: number }[];
}

export function writeLibraryReference(): string {
  const shown = entries.filter(({ specifier }) => SHOWN.includes(specifier));
  shown.sort((a, b) => SHOWN.indexOf(a.specifier) - SHOWN.indexOf(b.specifier));
  return `${[
    "# The library: reference",
    "<!-- Written by `npm run docs` from the exported declarations. Do not edit. -->",
    "What an application imports, with the types of the code. [The library](library.md) explains them with examples; [agents](agent.md), [the store](store.md) and [timelines](timeline.md) are the layers below, with a [reference](reference-layers.md) of their own.",
    ...shown.flatMap((entry) => [
      `## \`${packageName}${entry.subpath.slice(1)}\``,
      ...exportedNames(entry.source).flatMap(({ name, from, isType }) =>
        section(name, declarationOf(name, from), isType),
      ),
    ]),
  ].join("\n\n")}\n`;
}

/** Lists the functions, classes and values of the other entries. Their types are in the declarations of the package. */
export function writeLayersReference(): string {
  const shown = entries.filter(({ specifier }) => !SHOWN.includes(specifier));
  return `${[
    "# The lower layers: reference",
    "<!-- Written by `npm run docs` from the exported declarations. Do not edit. -->",
    "The functions, classes and values that the parts below the library export. The guides explain how they work together: [timelines](timeline.md), [the store](store.md), [agents](agent.md), [tools](tools.md), [the server](server.md). The types are in the package's declarations. An application usually needs [the library](reference.md) only.",
    ...shown.flatMap((entry) => [
      `## \`${packageName}${entry.subpath.slice(1)}\``,
      ...exportedNames(entry.source)
        .filter(({ isType }) => !isType)
        .flatMap(({ name, local, from, isType }) => section(name, declarationOf(local, from), isType)),
    ]),
  ].join("\n\n")}\n`;
}

function readSource(path: string): Source {
  const text = readFileSync(join(projectRoot, path), "utf8");
  const { program, comments } = parseSync(path, text);
  return { path, text, body: program.body, comments };
}

interface Exported {
  readonly name: string;
  /** The name of the declaration in the file `from`. */
  readonly local: string;
  readonly from: string;
  readonly isType: boolean;
}

/** The names that a module exports; values before types. */
export function exportedNames(path: string): Exported[] {
  const names: Exported[] = [];
  for (const node of readSource(path).body) {
    if (node.type !== "ExportNamedDeclaration") continue;
    const from = node.source === null ? path : resolveModule(path, node.source.value);
    for (const { exported, local, exportKind } of node.specifiers)
      if (exported.type === "Identifier" && local.type === "Identifier") {
        const isType = node.exportKind === "type" || exportKind === "type";
        names.push({ name: exported.name, local: local.name, from, isType });
      }
    const name = node.declaration === null ? undefined : nameOf(node.declaration);
    if (name !== undefined) names.push({ name, local: name, from: path, isType: node.exportKind === "type" });
  }
  return names.toSorted((a, b) => Number(a.isType) - Number(b.isType) || (a.name < b.name ? -1 : 1));
}

/** The path of a module that `path` names, relative to the project. */
function resolveModule(path: string, specifier: string): string {
  if (specifier.startsWith(".")) return join(dirname(path), specifier);
  return relative(projectRoot, fileURLToPath(import.meta.resolve(specifier)));
}

function declarationOf(name: string, path: string): Declared {
  const source = readSource(path);
  const exported = source.body.filter((node) => node.type === "ExportNamedDeclaration");
  const nodes = exported.flatMap(({ declaration, start }) =>
    declaration !== null && nameOf(declaration) === name ? [{ node: declaration, from: start }] : [],
  );
  if (nodes.length > 0) return { source, nodes };
  for (const { source: from, specifiers } of exported)
    for (const { exported: each, local } of specifiers) {
      if (from === null || each.type !== "Identifier" || each.name !== name) continue;
      return declarationOf(local.type === "Identifier" ? local.name : name, resolveModule(path, from.value));
    }
  throw new Error(`${path} does not declare ${name}.`);
}

function nameOf(node: Node): string | undefined {
  if (node.type === "VariableDeclaration") {
    const id = node.declarations[0]?.id;
    return id?.type === "Identifier" ? id.name : undefined;
  }
  return "id" in node && node.id !== null && "name" in node.id && typeof node.id.name === "string"
    ? node.id.name
    : undefined;
}

function section(name: string, { source, nodes }: Declared, isType: boolean): string[] {
  const comment = nodes.map(({ from }) => commentBefore(source, from)).find((text) => text !== "") ?? "";
  const overloads = nodes.filter(({ node }) => node.type === "TSDeclareFunction");
  const shown = (overloads.length > 0 ? overloads : nodes).map(({ node }) => signature(source, node, isType));
  return [
    `### \`${name}\``,
    ...(comment === "" ? [] : [comment.replaceAll("\n", " ")]),
    `\`\`\`ts\n${shown.join("\n")}\n\`\`\``,
  ];
}

function signature(source: Source, node: Node, isType: boolean): string {
  const text = (start: number, end: number) => source.text.slice(start, end).trim();
  if (node.type === "FunctionDeclaration") return `${text(node.start, node.body?.start ?? node.end)};`;
  if (node.type === "ClassDeclaration") return classSignature(source, node, isType);
  if (node.type === "VariableDeclaration")
    return `${node.kind} ${node.declarations.map((each) => text(each.start, endOfDeclarator(source, each)))};`;
  return text(node.start, node.end);
}

/** Shows the value of a constant if it is short, and the parameters of a function. */
function endOfDeclarator(source: Source, { id, init }: VariableDeclarator): number {
  if (init?.type === "ArrowFunctionExpression") return init.body.start;
  const isShort =
    init !== null && init.end - init.start < 80 && !source.text.slice(init.start, init.end).includes("\n");
  return isShort ? init.end : id.end;
}

/**
 * The public members. A method with overloads shows the overloads without the implementation. A class that is exported
 * as a type only shows no constructor and no static members.
 */
function classSignature(source: Source, node: Class, isType: boolean): string {
  const members = node.body.body.flatMap((member) => {
    if (member.type !== "MethodDefinition" && member.type !== "PropertyDefinition") return [];
    const isOfValue = member.static || (member.type === "MethodDefinition" && member.kind === "constructor");
    const isMarker = member.computed && member.type === "PropertyDefinition";
    if (member.key.type === "PrivateIdentifier" || member.accessibility === "private") return [];
    if (isMarker || (isType && isOfValue)) return [];
    const key = source.text.slice(member.key.start, member.key.end);
    const isOverload = member.value?.type === "TSEmptyBodyFunctionExpression";
    const body = member.value !== null && "body" in member.value ? member.value.body : null;
    const end =
      member.type === "PropertyDefinition" ? (member.value?.start ?? member.end) : (body?.start ?? member.end);
    const head = source.text
      .slice(member.start, end)
      .replace(/\basync /, "")
      .replace(/\s*=\s*$/, "")
      .replace(/[;\s]+$/, "");
    const comment = commentBefore(source, member.start);
    const documented = comment === "" ? "" : `  /** ${comment.replaceAll("\n", " ")} */\n`;
    return [{ key, isOverload, text: `${documented}  ${head};` }];
  });
  const overloaded = new Set(members.filter(({ isOverload }) => isOverload).map(({ key }) => key));
  const kept = members.filter(({ key, isOverload }) => isOverload || !overloaded.has(key));
  const head = source.text.slice(node.start, node.body.start).trim();
  return `${head} {\n${kept.map(({ text }) => text).join("\n")}\n}`;
}

/** The text of a documentation comment that ends where a declaration begins. */
function commentBefore({ comments, text }: Source, start: number): string {
  const comment = comments.find(
    ({ end, value }) => value.startsWith("*") && text.slice(end, start).trim() === "" && end <= start,
  );
  if (comment === undefined) return "";
  return comment.value
    .slice(1)
    .replaceAll(/^\s*\* ?/gm, "")
    .trim();
}
