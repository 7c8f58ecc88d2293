import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { readExamples } from './examples.js';

const PACKAGE = resolve(__dirname, '..');
const ROOT = resolve(PACKAGE, '../..');
/** What a program reads when it imports the library, whose names stay readable in a stack: some 500 bytes an operation, and room for the next. */
const MOST_CODE_BYTES = 50_000;
const MOST_ELEMENT_BYTES = 5000;
/** The build for browsers, whole; and what a bundler leaves of it, made small, for who uploads alone, or checks a webhook in a worker. */
const MOST_BROWSER_BYTES = 50_000;
const MOST_UPLOAD_BYTES = 15_000;
const MOST_WEBHOOK_BYTES = 6000;
/** A second entry over the first, for programs that set an organization up. */
const MOST_SETUP_BYTES = 10_000;
/** A program of its own, which no library that is imported brings along: with the parts of the library that it uses. */
const MOST_COMMAND_BYTES = 80_000;

/** As in a shell of its own: nothing of the npm that may have started this test. */
function npm(cwd: string, ...words: string[]): string {
  const variables = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
  return execFileSync('npm', [...words, '--offline', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd,
    encoding: 'utf8',
    env: { ...variables, npm_config_update_notifier: 'false' },
  });
}

function node(cwd: string, ...words: string[]): string {
  return execFileSync(process.execPath, words, { cwd, encoding: 'utf8' }).trim();
}

const readJson = (path: string): Record<string, unknown> =>
  JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;

describe('the package, packed and installed offline in an empty project', () => {
  let project: string;
  let installed: string;

  beforeAll(() => {
    project = mkdtempSync(join(tmpdir(), 'sutura-consumer-'));
    npm(PACKAGE, 'pack', '--ignore-scripts', '--pack-destination', project);
    writeFileSync(join(project, 'package.json'), '{ "name": "consumer", "private": true }');
    npm(project, 'install', '--ignore-scripts', './sutura-sdk-0.1.0.tgz');
    installed = join(project, 'node_modules/@sutura/sdk');
  }, 60_000);
  afterAll(() => rmSync(project, { recursive: true, force: true }));

  it('brings nothing else along, runs no script, and holds what it should', () => {
    expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['@sutura']);
    const { dependencies, engines, scripts = {} } = readJson(join(installed, 'package.json'));
    expect([dependencies, engines]).toEqual([undefined, { node: '>=18' }]);
    expect(Object.keys(scripts as object).filter((name) => /install|prepare$/.test(name))).toEqual([]);
    expect(readdirSync(installed).sort()).toEqual(['README.md', 'dist', 'package.json']);
  });

  it('is no larger than 50 kB of code, and no line of it is so long that it floods a terminal', () => {
    const files = readdirSync(join(installed, 'dist'));
    expect(files.filter((name) => !/\.(js|mjs|d\.ts|d\.mts)$/.test(name))).toEqual([]);
    // Declarations are no code that runs, element and browser.mjs are for a page alone, and the command is never imported.
    const code = files.filter(
      (name) =>
        !name.includes('.d.') && !/^setup/.test(name) && !['element.mjs', 'browser.mjs', 'sutura.mjs'].includes(name),
    );
    expect(statSync(join(installed, 'dist/setup.js')).size).toBeLessThanOrEqual(MOST_SETUP_BYTES);
    expect(statSync(join(installed, 'dist/element.mjs')).size).toBeLessThanOrEqual(MOST_ELEMENT_BYTES);
    expect(statSync(join(installed, 'dist/browser.mjs')).size).toBeLessThanOrEqual(MOST_BROWSER_BYTES);
    expect(statSync(join(installed, 'dist/sutura.mjs')).size).toBeLessThanOrEqual(MOST_COMMAND_BYTES);
    expect(code.reduce((sum, name) => sum + statSync(join(installed, 'dist', name)).size, 0)).toBeLessThanOrEqual(
      MOST_CODE_BYTES,
    );
    const lines = readFileSync(join(installed, 'dist/index.js'), 'utf8').split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(600);
  });

  it('is imported as an ES module and required as CommonJS, with one copy of its classes', () => {
    const names = "Object.keys(sdk).filter((name) => name !== 'default' && name !== 'module.exports').sort().join()";
    writeFileSync(join(project, 'a.mjs'), `import * as sdk from '@sutura/sdk';\nconsole.log(${names});`);
    writeFileSync(join(project, 'b.cjs'), `const sdk = require('@sutura/sdk');\nconsole.log(${names});`);
    writeFileSync(
      join(project, 'c.mjs'),
      "import { createRequire } from 'node:module';\nimport { SuturaError } from '@sutura/sdk';\nconsole.log(createRequire(import.meta.url)('@sutura/sdk').SuturaError === SuturaError);",
    );
    writeFileSync(
      join(project, 'd.mjs'),
      "import { createRequire } from 'node:module';\nimport { SuturaSetup } from '@sutura/sdk/setup';\nconst client = { request: async () => ({ status: 200, json: () => ({}) }) };\nconst { MalformedResponseError } = createRequire(import.meta.url)('@sutura/sdk');\nawait new SuturaSetup(client).listModels().catch((error) => console.log(error instanceof MalformedResponseError));",
    );
    expect(node(project, 'd.mjs')).toBe('true');
    const asModule = node(project, 'a.mjs');
    expect(asModule).toContain('SuturaClient');
    expect(node(project, 'b.cjs')).toBe(asModule);
    expect(node(project, 'c.mjs')).toBe('true');
  });

  it('gives a bundler for browsers a build of its own, without Node.js, of which it leaves what is used', async () => {
    for (const file of ['browser.mjs', 'setup-browser.mjs'])
      expect(readFileSync(join(installed, 'dist', file), 'utf8')).not.toMatch(/\bnode:|\brequire\(|node-tools/);
    const bundled = async (name: string, from = '@sutura/sdk'): Promise<number> => {
      const { outputFiles } = await build({
        stdin: { contents: `import { ${name} } from '${from}'; globalThis.kept = ${name};`, resolveDir: project },
        bundle: true,
        format: 'esm',
        minify: true,
        platform: 'browser',
        write: false,
      });
      return outputFiles[0]!.contents.length;
    };
    expect(await bundled('uploadFileToSignedUrl')).toBeLessThan(MOST_UPLOAD_BYTES);
    expect(await bundled('verifyWebhook')).toBeLessThan(MOST_WEBHOOK_BYTES);
    expect(await bundled('SuturaError')).toBeLessThan(2000);
    expect(await bundled('SuturaSetup', '@sutura/sdk/setup')).toBeLessThan(MOST_SETUP_BYTES);
  });

  it('says its version to the service as the package has it', () => {
    const { version } = readJson(join(installed, 'package.json'));
    expect(readFileSync(join(installed, 'dist/index.js'), 'utf8')).toContain(`sutura-sdk-js/${String(version)}"`);
  });

  it('is typed for strict projects: node16, nodenext, bundler, with the types of Node.js, of the DOM, or of neither', async () => {
    for (const file of ['consumer.mts', 'consumer.cts', 'page.ts'])
      cpSync(join(__dirname, 'consumers', file), join(project, file));
    mkdirSync(join(project, 'examples'));
    for (const { fileName, source } of readExamples()) writeFileSync(join(project, 'examples', fileName), source);
    const withNode = { types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')], skipLibCheck: true };
    const programs = {
      nodenext: [{ module: 'nodenext', ...withNode }, ['consumer.mts', 'consumer.cts', 'examples/*.mts']],
      node16: [{ module: 'node16', types: [] }, ['consumer.cts']],
      bundler: [
        { module: 'esnext', moduleResolution: 'bundler', types: [], lib: ['ES2022', 'DOM'], skipLibCheck: true },
        ['page.ts'],
      ],
    } as const;
    const checks = Object.entries(programs).map(([name, [options, include]]) => {
      const compilerOptions = {
        target: 'es2022',
        lib: ['ES2022'],
        strict: true,
        noUncheckedIndexedAccess: true,
        noEmit: true,
        ...options,
      };
      writeFileSync(join(project, `tsconfig.${name}.json`), JSON.stringify({ compilerOptions, include }));
      return promisify(execFile)(
        process.execPath,
        [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', `tsconfig.${name}.json`],
        { cwd: project },
      ).then(
        () => [],
        ({ stdout }: { stdout: string }) => [`${name}: ${stdout}`],
      );
    });
    expect((await Promise.all(checks)).flat()).toEqual([]);
  }, 60_000);
});

test('there is an example for every operation, and for the README', () => {
  const names = readExamples().map(({ name }) => name);
  const operations = ['client.ts', 'follow-up-client.ts'].flatMap((file) => {
    const found = readFileSync(join(PACKAGE, 'src', file), 'utf8').matchAll(/^ {2}(?:async )?(\w+)\(/gm);
    const members = new Set([...found].map(([, name]) => `${file}: ${String(name)}`));
    return [...members].filter((name) => !name.endsWith(' constructor'));
  });
  expect(operations.length).toBe(44);
  expect(operations.filter((name) => !names.includes(name))).toEqual([]);
  expect(names.filter((name) => name.startsWith('README.md')).length).toBeGreaterThanOrEqual(8);
});
