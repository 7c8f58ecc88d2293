import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const BUILT = resolve(__dirname, '../../dist/src');
const run = promisify(execFile);

/** The packages whose files a program reads one by one, with their number. */
async function packagesReadBy(program: string): Promise<ReadonlyMap<string, number>> {
  const { stdout } = await run(process.execPath, [
    '--input-type=module',
    '--eval',
    `import { createRequire } from 'node:module';
     await import(${JSON.stringify(`file://${join(BUILT, program)}`)});
     console.log(JSON.stringify(Object.keys(createRequire('/').cache)));
     process.exit(0);`,
  ]);
  const files = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as string[];
  const packages = new Map<string, number>();
  for (const file of files) {
    const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? 'own';
    packages.set(name, (packages.get(name) ?? 0) + 1);
  }
  return packages;
}

/** The bundled files that hold the gateway, and what each imports. */
async function bundled(): Promise<ReadonlyMap<string, string>> {
  const folder = join(BUILT, 'bundle');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.js'));
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)),
  );
}

describe('a built program', () => {
  it('is read from few files, and from one copy of each package', async () => {
    const gateway = [...(await bundled()).keys()].find((name) => name.startsWith('gateway-'));
    const packages = await packagesReadBy(`bundle/${String(gateway)}`);
    expect([...packages.values()].reduce((sum, files) => sum + files, 0)).toBeLessThan(150);
    // They are in the bundle; a second copy would know nothing of what was set on the first.
    for (const name of ['typeorm', 'pg', '@nestjs/core', '@nestjs/common', 'fastify', 'rxjs', 'pino'])
      expect([name, packages.get(name)]).toEqual([name, undefined]);
  });

  it.each([
    'main.js',
    'cli.js',
    'inference/model/inference-child.js',
    'reports/rendering/render-thread.js',
    'fhir/validation/validation-thread.js',
  ])('imports nothing of the single files that lie beside it: %s', async (program) => {
    const text = await readFile(join(BUILT, program), 'utf8');
    const imported = [...text.matchAll(/(?:from|import)\s?\(?"(\.[^"]+)"/g)].map(([, path]) => path ?? '');
    expect(imported.length).toBeGreaterThan(0);
    for (const path of imported) expect(dirname(resolve(BUILT, dirname(program), path))).toBe(join(BUILT, 'bundle'));
  });

  it('finds its own files from where they were', async () => {
    for (const [name, text] of await bundled()) {
      expect([name, text.includes('__WAY_TO_OUT__')]).toEqual([name, false]);
    }
  });
});
