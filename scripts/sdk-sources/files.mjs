import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const pathOf = (name) => fileURLToPath(new URL(`../../${name}`, import.meta.url));

/** Files of the last time, by the line at their head. */
async function generatedFiles(target, extension, head) {
  const names = await readdir(target, { recursive: true }).catch(() => []);
  const found = [];
  for (const name of names.filter((one) => one.endsWith(extension)))
    if ((await readFile(join(target, name), 'utf8')).startsWith(head)) found.push(name);
  return found;
}

/** Writes the sources that `make` makes of docs/openapi.json; with --check says where others stand, and ends with code 1. */
export async function writeOrCheck(make, { folder, extension, head, command }) {
  const target = pathOf(folder);
  const sources = make(JSON.parse(await readFile(pathOf('docs/openapi.json'), 'utf8')));
  const found = await generatedFiles(target, extension, head);
  const strays = found.filter((name) => !sources.some(({ path }) => path === name));
  if (process.argv[2] === '--check') {
    const isAsWritten = async ({ path, text }) =>
      (await readFile(join(target, path), 'utf8').catch(() => null)) === text;
    const same = await Promise.all(sources.map(isAsWritten));
    if (strays.length === 0 && !same.includes(false)) return;
    process.stderr.write(`${folder} is not what docs/openapi.json makes: npm run ${command}\n`);
    process.exitCode = 1;
    return;
  }
  for (const name of strays) await rm(join(target, name));
  for (const { path, text } of sources) {
    await mkdir(dirname(join(target, path)), { recursive: true });
    await writeFile(join(target, path), text);
  }
}
