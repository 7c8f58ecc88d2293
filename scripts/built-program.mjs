import { spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { noteUse } from './build/build-folders.mjs';
import { findBuilt } from './build/ensure-built.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** In a process of its own, so that the program does not keep the compilers in memory. */
function build() {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts/build.mjs')], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (status === 0) return realpathSync(join(ROOT, 'dist'));
  process.stderr.write(`The build failed.\n${stdout}${stderr}`);
  process.exit(1);
}

/** Runs a program of dist, such as src/cli.js, in this process, after building where the sources changed. */
export async function runBuilt(program) {
  const folder = findBuilt(ROOT) ?? build();
  noteUse(folder);
  await import(pathToFileURL(join(folder, program)).href);
}
