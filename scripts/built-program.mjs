import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** Newest change below a folder, in milliseconds; tests are not part of the build. */
function newestChange(folder) {
  return readdirSync(folder, { withFileTypes: true }).reduce((newest, entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return Math.max(newest, newestChange(path));
    return entry.name.endsWith('.ts') && !entry.name.endsWith('.spec.ts')
      ? Math.max(newest, statSync(path).mtimeMs)
      : newest;
  }, 0);
}

function isBuilt(entry) {
  if (!existsSync(entry)) return false;
  // A delivered image has the build alone.
  if (!existsSync(join(ROOT, 'src'))) return true;
  const sources = ['src', 'migrations', 'tools'].map((folder) => newestChange(join(ROOT, folder)));
  return statSync(entry).mtimeMs >= Math.max(...sources);
}

/** Runs a program of dist, such as src/cli.js, in this process, after building where the build is missing or older than the sources. */
export async function runBuilt(program) {
  const entry = join(ROOT, 'dist', program);
  if (!isBuilt(entry)) {
    const build = spawnSync('npm', ['run', '--silent', 'build'], {
      cwd: ROOT,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    if (build.status !== 0) {
      process.stderr.write(`The build failed.\n${build.stdout}${build.stderr}`);
      process.exit(1);
    }
  }
  await import(pathToFileURL(entry).href);
}
