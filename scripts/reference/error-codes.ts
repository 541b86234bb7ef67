/**
 * The codes of errors in the published code. A code is a literal that is the first argument of `CairnError` or of a
 * function whose first parameter is called `code`, or the `code` of an object that also has a `message`. The codes of
 * `ModelError` are made of its kinds.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Expression, type Node, type Program, parseSync, Visitor } from "oxc-parser";
import { isTest, sourcePaths } from "../layers/source-tree.ts";
import { parts } from "../packaging/parts.ts";
import { projectRoot } from "../run-command.ts";

/** Simulated providers have the codes of the providers. */
const SIMULATED = "packages/front/src/testing/models/";
/** Functions that take codes of notices for the model, or of problems of a schema. */
const NOT_ERRORS = new Set(["notice", "said", "violation", "stringify", "addIssue"]);
const CODE = /^[a-z]+(?:_[a-z]+)*$/;

export function errorCodes(): string[] {
  const programs = parts
    .flatMap(({ folder }) => sourcePaths(projectRoot, `${folder}/src`))
    .filter((path) => !isTest(path) && !path.startsWith(SIMULATED))
    .map((path) => parseSync(path, readFileSync(join(projectRoot, path), "utf8")).program);
  const shared = new Set(["CairnError", ...programs.flatMap((program) => functionsOfCodes(program, true))]);
  const codes = programs.flatMap((program) =>
    codesIn(program, new Set([...shared, ...functionsOfCodes(program, false)])),
  );
  return [...new Set(codes)].sort();
}

/** The names of functions and methods whose first parameter is called `code`; `shared`: only what other files can call. */
function functionsOfCodes(program: Program, shared: boolean): string[] {
  const names: string[] = [];
  const exported = new Set(
    program.body.map((node) => (node.type === "ExportNamedDeclaration" ? node.declaration : null)),
  );
  const add = (name: string | undefined, first: Node | undefined) => {
    if (name !== undefined && !NOT_ERRORS.has(name) && first?.type === "Identifier" && first.name === "code")
      names.push(name);
  };
  new Visitor({
    FunctionDeclaration: (node) => {
      if (!shared || exported.has(node)) add(node.id?.name, node.params[0]);
    },
    MethodDefinition: ({ key, value }) => {
      if (!shared || key.type !== "PrivateIdentifier") add(nameOf(key), value.params[0]);
    },
    VariableDeclarator: ({ id, init }) => {
      if (!shared && init?.type === "ArrowFunctionExpression") add(nameOf(id), init.params[0]);
    },
  }).visit(program);
  return names;
}

function codesIn(program: Program, makers: ReadonlySet<string>): string[] {
  const codes: string[] = [];
  const constants = new Map<string, Expression>();
  const used: Node[] = [];
  const ignored = new Set<Node>();
  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      if (id.type === "Identifier" && init !== null) constants.set(id.name, init);
    },
    TSTypeAliasDeclaration: ({ id, typeAnnotation }) => {
      if (id.name !== "ModelErrorKind" || typeAnnotation.type !== "TSUnionType") return;
      for (const kind of typeAnnotation.types)
        if (kind.type === "TSLiteralType" && kind.literal.type === "Literal") codes.push(`model_${kind.literal.value}`);
    },
    NewExpression: ({ callee, arguments: [first] }) => {
      if (makers.has(nameOf(callee) ?? "") && first !== undefined) used.push(first);
    },
    CallExpression: ({ callee, arguments: given }) => {
      const name = nameOf(callee) ?? "";
      const [first] = given;
      if (makers.has(name) && first !== undefined) used.push(first);
      if (NOT_ERRORS.has(name)) for (const each of given) ignored.add(each);
    },
    ObjectExpression: (node) => {
      const value = (wanted: string) =>
        node.properties.flatMap((each) => (each.type === "Property" && nameOf(each.key) === wanted ? each.value : []));
      if (!ignored.has(node) && value("message").length > 0) used.push(...value("code"));
    },
  }).visit(program);
  const take = (node: Node): void => {
    if (node.type === "Literal" && typeof node.value === "string" && CODE.test(node.value)) codes.push(node.value);
    if (node.type === "ConditionalExpression") for (const each of [node.consequent, node.alternate]) take(each);
    if (node.type === "TSAsExpression") take(node.expression);
    if (node.type === "Identifier") {
      const value = constants.get(node.name);
      constants.delete(node.name);
      if (value !== undefined) take(value);
    }
  };
  used.forEach(take);
  return codes;
}

/** The name of `x`, of `y.x` and of `#x`. */
function nameOf(node: Node): string | undefined {
  if (node.type === "Identifier" || node.type === "PrivateIdentifier") return node.name;
  return node.type === "MemberExpression" && !node.computed ? nameOf(node.property) : undefined;
}
