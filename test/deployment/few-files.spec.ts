import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { startGateway } from '../support/gateway.js';

const BUILT = resolve(__dirname, '../../dist/src');
const BUNDLE = join(BUILT, 'bundle');

const packageOf = (path: string): string => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? 'own';

/** What a gateway that has served a request has read one by one, in CommonJS. */
async function readByGateway(): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sutura-files-'));
  const list = join(folder, 'read.json');
  const reader = resolve(__dirname, '../support/read-files.mjs');
  const gateway = await startGateway({ env: { NODE_OPTIONS: `--import=${reader}`, READ_FILES: list } });
  try {
    await gateway.createClient();
    await gateway.stop();
    return JSON.parse(await readFile(list, 'utf8')) as string[];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The packages that are in the bundle, by its source maps. */
async function packagesInBundle(): Promise<ReadonlySet<string>> {
  const maps = (await readdir(BUNDLE)).filter((name) => name.endsWith('.map'));
  const sources = await Promise.all(
    maps.map(async (name) => (JSON.parse(await readFile(join(BUNDLE, name), 'utf8')) as { sources: string[] }).sources),
  );
  return new Set(sources.flat().map(packageOf));
}

describe('a built program', () => {
  it('is read from few files, and from one copy of each package', async () => {
    const files = await readByGateway();
    expect(files.length).toBeLessThan(200);
    const inBundle = await packagesInBundle();
    expect([...inBundle]).toEqual(expect.arrayContaining(['typeorm', '@nestjs/core', 'fastify', 'rxjs', 'pino']));
    // A second copy would know nothing of what was set on the first. These have nothing to set, and other packages read them for themselves.
    const harmless = ['own', 'semver'];
    const twice = [...new Set(files.map(packageOf))].filter((name) => inBundle.has(name) && !harmless.includes(name));
    expect(twice).toEqual([]);
  });

  it('is one file that reads none of those that lie beside it', async () => {
    const text = await readFile(join(BUNDLE, 'programs.cjs'), 'utf8');
    expect(text).toMatch(/require\("node:fs"\)/);
    expect([...text.matchAll(/require\("(\.[^"]+)"\)/g)].map(([, path]) => path)).toEqual([]);
  });

  it.each([
    'main.js',
    'cli.js',
    'inference/model/inference-child.js',
    'reports/rendering/render-thread.js',
    'standards/fhir/validation/validation-thread.js',
  ])('imports nothing of the single files that lie beside it: %s', async (program) => {
    const text = await readFile(join(BUILT, program), 'utf8');
    const imported = [...text.matchAll(/(?:from|import)\s?\(?"(\.[^"]+)"/g)].map(([, path]) => path ?? '');
    expect(imported.length).toBeGreaterThan(0);
    for (const path of imported) expect(dirname(resolve(BUILT, dirname(program), path))).toBe(BUNDLE);
  });
});
