// Runs the unit tests, a first start and a first analysis on other versions of Node.js: npm run test:nodes [-- 22.18.0 /path/to/node …]
// Each version comes from npm ("node@22") into .cache and stays there.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const JEST = join(ROOT, 'node_modules/jest/bin/jest.js');
const SPECS = ['src/', 'test/e2e/flow/first-start', 'test/e2e/flow/whole-flow'];
const DEFAULT_VERSIONS = ['22', '24'];

function findBinary(version) {
  if (version.includes('/')) return existsSync(version) ? resolve(version) : null;
  const folder = join(ROOT, '.cache', `node-${version}`);
  const binary = join(folder, 'node_modules/node/bin/node');
  if (existsSync(binary)) return binary;
  mkdirSync(folder, { recursive: true });
  const options = ['--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  spawnSync('npm', ['install', `node@${version}`, ...options], { stdio: ['ignore', 'ignore', 'inherit'] });
  return existsSync(binary) ? binary : null;
}

function passesOn(binary) {
  // Programs that tests start by name are of the same version.
  const env = { ...process.env, PATH: `${dirname(binary)}${delimiter}${process.env.PATH ?? ''}` };
  return spawnSync(binary, [JEST, ...SPECS], { cwd: ROOT, env, stdio: 'inherit' }).status === 0;
}

const asked = process.argv.slice(2);
const failed = (asked.length > 0 ? asked : DEFAULT_VERSIONS).filter((version) => {
  const binary = findBinary(version);
  process.stdout.write(binary === null ? `Node.js ${version}: not to be had\n` : `Node.js ${version}\n`);
  return binary === null || !passesOn(binary);
});
process.exitCode = failed.length > 0 ? 1 : 0;
