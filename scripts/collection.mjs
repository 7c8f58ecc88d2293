// npm run collection: writes docs/collections/sutura.postman_collection.json from docs/openapi.json; --check ends with code 1 where it is another.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { collectionOf } from './collection/postman.mjs';

const pathOf = (name) => fileURLToPath(new URL(`../docs/${name}`, import.meta.url));
const TARGET = pathOf('collections/sutura.postman_collection.json');

const made = `${JSON.stringify(collectionOf(JSON.parse(await readFile(pathOf('openapi.json'), 'utf8'))), null, 2)}\n`;
if (process.argv[2] !== '--check') await writeFile(TARGET, made);
else if ((await readFile(TARGET, 'utf8').catch(() => null)) !== made) {
  process.stderr.write('docs/collections is not what docs/openapi.json makes: npm run collection\n');
  process.exitCode = 1;
}
