// Makes dist from src, where src changed, with the tools of the root folder: one CommonJS file (and one for files and digests, loaded when needed), its declarations with their comments, and a thin ES module
// over the one copy of the classes, so that instanceof holds wherever an error came from.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = dirname(fileURLToPath(import.meta.url));
const DIST = join(HERE, 'dist');
/** Each build is made there and moved file by file: a program that has begun to read dist finds every file. */
const DRAFT = join(HERE, `.cache/dist-${process.pid}`);
const BUILT_FROM = join(HERE, '.cache/built-from');
/** Names stay, so that a stack says where it was; lines are short, since Node.js prints the one in which an uncaught error was thrown. */
const SHARED = {
  platform: 'node',
  target: 'node18',
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 250,
  legalComments: 'none',
  logLevel: 'warning',
};
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
    join(DRAFT, `${name}.d.ts`),
    outputText.replace(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4)),
  );
  for (const [, target] of outputText.matchAll(/(?:from|import\()\s*['"]\.\/([\w-]+)\.js['"]/g))
    writeDeclarations(ts, target, written);
}

function stampOfSources() {
  const sources = readdirSync(join(HERE, 'src'), { recursive: true }).filter((path) => /\.m?ts$/.test(path));
  const files = [
    'build.mjs',
    'package.json',
    '../../package-lock.json',
    ...sources.sort().map((path) => `src/${path}`),
  ];
  const digest = createHash('sha256');
  for (const file of files) digest.update(`${file}\0`).update(readFileSync(join(HERE, file)));
  return digest.digest('hex');
}

function isBuilt(stamp) {
  const made = [
    'index.js',
    'index.mjs',
    'setup.js',
    'element.mjs',
    'browser.mjs',
    'setup-browser.mjs',
    'sutura.mjs',
  ].every((file) => existsSync(join(DIST, file)));
  return made && existsSync(BUILT_FROM) && readFileSync(BUILT_FROM, 'utf8') === stamp;
}

async function makeDraft() {
  const { ts, esbuild } = await loadTools();
  mkdirSync(DRAFT, { recursive: true });
  writeDeclarations(ts, 'index');
  writeDeclarations(ts, 'setup');
  writeDeclarations(ts, 'element');
  const build = (entry, outfile, options) =>
    esbuild.buildSync({
      ...SHARED,
      ...options,
      entryPoints: [join(HERE, 'src', entry)],
      outfile: join(DRAFT, outfile),
    });
  build('node-tools.mts', 'node-tools.mjs', { format: 'esm' });
  build('element.ts', 'element.mjs', { format: 'esm', platform: 'browser', target: 'es2022' });
  build('command/sutura.ts', 'sutura.mjs', { format: 'esm', bundle: true, external: ['./node-tools.mjs'] });
  build('index.ts', 'index.js', { format: 'cjs', bundle: true, external: ['./node-tools.mjs'] });
  // Over the one copy of the classes, too.
  build('setup.ts', 'setup.js', { format: 'cjs', bundle: true, external: ['./index.js'] });
  await buildForBrowsers(esbuild);
  const exported = Object.keys(createRequire(import.meta.url)(join(DRAFT, 'index.js')));
  writeFileSync(
    join(DRAFT, 'index.mjs'),
    `import sdk from './index.js';\nexport const { ${exported.join(', ')} } = sdk;\n`,
  );
  writeFileSync(join(DRAFT, 'index.d.mts'), "export * from './index.js';\n");
  writeFileSync(join(DRAFT, 'setup.mjs'), "import setup from './setup.js';\nexport const { SuturaSetup } = setup;\n");
  writeFileSync(join(DRAFT, 'setup.d.mts'), "export * from './setup.js';\n");
}

/** Modules that a bundler shakes, of plain classes and functions; what differs from Node.js is in NAME.web.ts. */
async function buildForBrowsers(esbuild) {
  const forPages = {
    name: 'for-pages',
    setup(build) {
      build.onResolve({ filter: /^\.\/[\w-]+\.js$/ }, ({ path, resolveDir, importer }) => {
        if (path === './index.js' && importer.endsWith('setup.ts')) return { path: './browser.mjs', external: true };
        const web = join(resolveDir, path.replace(/\.js$/, '.web.ts'));
        return existsSync(web) ? { path: web } : undefined;
      });
    },
  };
  const options = {
    ...SHARED,
    platform: 'browser',
    target: 'es2022',
    format: 'esm',
    bundle: true,
    plugins: [forPages],
  };
  for (const [entry, outfile] of [
    ['index.ts', 'browser.mjs'],
    ['setup.ts', 'setup-browser.mjs'],
  ])
    await esbuild.build({ ...options, entryPoints: [join(HERE, 'src', entry)], outfile: join(DRAFT, outfile) });
}

function takeDraft() {
  mkdirSync(DIST, { recursive: true });
  const made = readdirSync(DRAFT);
  for (const file of made) renameSync(join(DRAFT, file), join(DIST, file));
  for (const file of readdirSync(DIST))
    if (!made.includes(file)) rmSync(join(DIST, file), { recursive: true, force: true });
}

const stamp = stampOfSources();
if (!isBuilt(stamp)) {
  try {
    await makeDraft();
    takeDraft();
    writeFileSync(BUILT_FROM, stamp);
  } finally {
    rmSync(DRAFT, { recursive: true, force: true });
  }
}
