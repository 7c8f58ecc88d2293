// npm run collection: writes docs/collections from docs/openapi.json, for Postman and for Bruno; --check ends with code 1 where it is another.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brunoOf } from './collection/bruno.mjs';
import { collectionOf } from './collection/postman.mjs';

const pathOf = (name) => fileURLToPath(new URL(`../docs/${name}`, import.meta.url));
const TARGET = pathOf('collections');

const collection = collectionOf(JSON.parse(await readFile(pathOf('openapi.json'), 'utf8')));
const files = new Map([
  ['sutura.postman_collection.json', `${JSON.stringify(collection, null, 2)}\n`],
  ...brunoOf(collection).map(([path, text]) => [join('bruno', path), text]),
]);
const there = (await readdir(TARGET, { recursive: true, withFileTypes: true }).catch(() => []))
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(TARGET.length + 1));
const strays = there.filter((path) => !files.has(path));

if (process.argv[2] === '--check') {
  const isSame = async ([path, text]) => (await readFile(join(TARGET, path), 'utf8').catch(() => null)) === text;
  if (strays.length > 0 || (await Promise.all([...files].map(isSame))).includes(false)) {
    process.stderr.write('docs/collections is not what docs/openapi.json makes: npm run collection\n');
    process.exitCode = 1;
  }
} else {
  for (const path of strays) await rm(join(TARGET, path));
  for (const [path, text] of files) {
    await mkdir(dirname(join(TARGET, path)), { recursive: true });
    await writeFile(join(TARGET, path), text);
  }
}
