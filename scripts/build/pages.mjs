import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const OUT = join(ROOT, 'web/dist');
const STAMP = join(OUT, 'built-from');
/** What the pages are made of; of src they import the measurement alone, and types. */
const SOURCES = ['web', 'src/core', 'package-lock.json'];

async function* filesOf(path) {
  if (!(await isFolder(path))) return yield path;
  const entries = (await readdir(join(ROOT, path), { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const below = `${path}/${entry.name}`;
    if (below === 'web/dist' || entry.name.endsWith('.spec.ts')) continue;
    if (entry.isDirectory()) yield* filesOf(below);
    else yield below;
  }
}

const isFolder = (path) =>
  readdir(join(ROOT, path)).then(
    () => true,
    () => false,
  );

async function stampOfSources() {
  const digest = createHash('sha256');
  for (const source of SOURCES)
    for await (const file of filesOf(source)) digest.update(`${file}\0`).update(await readFile(join(ROOT, file)));
  return digest.digest('hex');
}

/** Builds the pages where the build is missing or made of other sources; a delivery has the built pages alone. */
export async function buildPages() {
  if (!existsSync(join(ROOT, 'web/vite.config.ts'))) return;
  const stamp = await stampOfSources();
  if (existsSync(STAMP) && (await readFile(STAMP, 'utf8')) === stamp) return;
  const { build } = await import('vite');
  await build({ configFile: join(ROOT, 'web/vite.config.ts'), logLevel: 'warn' });
  await writeFile(STAMP, stamp);
}
