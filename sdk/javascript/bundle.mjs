// Puts the modules of src into one scope, in the order of their dependence, and takes out what only a reader needs.
// The rules of the sources: named imports without "as", and no name twice at the top of two modules.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { minifySync } from '@swc/core';

const OPTIONS = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, removeComments: true, isolatedModules: true };

function parse(path) {
  const { outputText } = ts.transpileModule(readFileSync(path, 'utf8'), { compilerOptions: OPTIONS, fileName: path });
  return ts.createSourceFile(path, outputText, ts.ScriptTarget.ES2022, true);
}

const sourceOf = (path, specifier) => join(dirname(path), specifier.replace(/\.js$/, '.ts'));

function refuseRenaming(path, elements = []) {
  for (const { name, propertyName } of elements) if (propertyName !== undefined) throw new Error(`${path}: ${propertyName.text} as ${name.text} cannot be bundled.`);
}

function withoutExport(file, statement) {
  const modifier = statement.modifiers?.find(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  return file.text.slice(modifier === undefined ? statement.getStart() : modifier.end, statement.end);
}

function namesOf(statement) {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.map(({ name }) => name.text);
  return statement.name === undefined ? [] : [statement.name.text];
}

/** Adds the statements of a module after those that it imports; answers the names that it exports. */
function readModule(path, state) {
  const known = state.modules.get(path);
  if (known !== undefined) return known;
  const file = parse(path);
  const exported = [];
  state.modules.set(path, exported);
  for (const statement of file.statements) {
    const specifier = statement.moduleSpecifier?.text;
    const bindings = statement.importClause?.namedBindings ?? statement.exportClause;
    refuseRenaming(path, bindings?.elements);
    const inner = specifier?.startsWith('.') ? readModule(sourceOf(path, specifier), state) : [];
    if (specifier !== undefined && !specifier.startsWith('.')) state.code.push(statement.getText());
    if (ts.isExportDeclaration(statement)) exported.push(...(statement.exportClause?.elements.map(({ name }) => name.text) ?? inner));
    if (specifier !== undefined || ts.isExportDeclaration(statement)) continue;
    for (const name of namesOf(statement)) {
      if (state.names.has(name)) throw new Error(`${path}: the name ${name} is taken by another module.`);
      state.names.add(name);
      if (statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) exported.push(name);
    }
    state.code.push(withoutExport(file, statement));
  }
  return exported;
}

/** One program of the module at `entry` and all that it imports; what is loaded with `import()` stays apart. */
export function bundle(entry, format = 'cjs') {
  const state = { modules: new Map(), names: new Set(), code: [] };
  const exported = readModule(entry, state);
  const names = `{ ${exported.join(', ')} };`;
  const parts = format === 'esm' ? [...state.code, `export ${names}`] : ["'use strict';", ...state.code, `module.exports = ${names}`];
  const { code } = minifySync(parts.join('\n'), { compress: { passes: 3, unsafe_arrows: true }, mangle: { toplevel: true }, ecma: 2022, toplevel: true, module: format === 'esm' });
  return { code: `${withLines(code)}\n`, exported };
}

/** One statement or member on a line: Node.js prints the whole line in which an uncaught error was thrown. */
function withLines(code) {
  const starts = [];
  const visit = (node) => {
    const parts = node.statements ?? (ts.isClassLike(node) ? node.members : []);
    starts.push(...parts.map((part) => part.getStart()));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('bundle.js', code, ts.ScriptTarget.ES2022, true));
  return starts.sort((one, other) => other - one).reduce((text, at) => (at === 0 ? text : `${text.slice(0, at)}\n${text.slice(at)}`), code);
}
