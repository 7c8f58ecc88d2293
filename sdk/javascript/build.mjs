// Makes dist from src with the tools of the root folder: one CommonJS file (and one for files and digests, loaded when needed), its declarations with their comments, and a thin ES module
// over the one copy of the classes, so that instanceof holds wherever an error came from.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = dirname(fileURLToPath(import.meta.url));
const DIST = join(HERE, 'dist');
const OPTIONS = { isolatedDeclarations: true, declaration: true, strict: true };

async function loadTools() {
  try {
    return { ts: (await import('typescript')).default, esbuild: await import('esbuild') };
  } catch (fault) {
    throw new Error('The compiler is missing: run "npm ci" in the root folder of the project first.', { cause: fault });
  }
}

/** The declarations of a module and of those that it names: the entry leads to no other. */
function writeDeclarations(ts, name, written = new Set()) {
  if (written.has(name)) return;
  written.add(name);
  const { outputText, diagnostics } = ts.transpileDeclaration(readFileSync(join(HERE, 'src', `${name}.ts`), 'utf8'), {
    compilerOptions: OPTIONS,
    fileName: `${name}.ts`,
    reportDiagnostics: true,
  });
  if (diagnostics.length > 0)
    throw new Error(
      ts.formatDiagnostics(diagnostics, {
        getCanonicalFileName: (file) => file,
        getCurrentDirectory: () => HERE,
        getNewLine: () => '\n',
      }),
    );
  // The compiler indents by four spaces; they are a tenth of the package.
  writeFileSync(
    join(DIST, `${name}.d.ts`),
    outputText.replace(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4)),
  );
  for (const [, target] of outputText.matchAll(/(?:from|import\()\s*['"]\.\/([\w-]+)\.js['"]/g))
    writeDeclarations(ts, target, written);
}

const { ts, esbuild } = await loadTools();
rmSync(DIST, { recursive: true, force: true });
mkdirSync(DIST, { recursive: true });
writeDeclarations(ts, 'index');
writeDeclarations(ts, 'element');
// Names stay, so that a stack says where it was; lines are short, since Node.js prints the one in which an uncaught error was thrown.
const shared = {
  platform: 'node',
  target: 'node18',
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 260,
  legalComments: 'none',
  logLevel: 'warning',
};
const build = (entry, outfile, options) =>
  esbuild.buildSync({ ...shared, ...options, entryPoints: [join(HERE, 'src', entry)], outfile: join(DIST, outfile) });
build('node-tools.mts', 'node-tools.mjs', { format: 'esm' });
build('element.ts', 'element.mjs', { format: 'esm', platform: 'browser', target: 'es2022' });
build('index.ts', 'index.js', { format: 'cjs', bundle: true, external: ['./node-tools.mjs'] });
const exported = Object.keys(createRequire(import.meta.url)(join(DIST, 'index.js')));
writeFileSync(
  join(DIST, 'index.mjs'),
  `import sdk from './index.js';\nexport const { ${exported.join(', ')} } = sdk;\n`,
);
writeFileSync(join(DIST, 'index.d.mts'), "export * from './index.js';\n");
