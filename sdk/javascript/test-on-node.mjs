// Runs the contract suite against the built package on other versions of Node.js: npm run test:nodes [-- 18.0.0 22 …]
// Each comes from npm ("node@18") into .cache and stays there.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = dirname(fileURLToPath(import.meta.url));
/** The oldest that the package promises, and the newest of each line in use. */
const DEFAULT_VERSIONS = ['18.0.0', '18', '20', '22', '24'];

function findBinary(version) {
  const folder = join(HERE, '.cache', `node-${version}`);
  const binary = join(folder, 'node_modules/node/bin/node');
  if (existsSync(binary)) return binary;
  mkdirSync(folder, { recursive: true });
  const install = [
    'install',
    `node@${version}`,
    '--prefix',
    folder,
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  spawnSync('npm', install, { stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' });
  return existsSync(binary) ? binary : null;
}

let failed = 0;
for (const version of process.argv.length > 2 ? process.argv.slice(2) : DEFAULT_VERSIONS) {
  const binary = findBinary(version);
  if (binary === null) process.stdout.write(`Node.js ${version}: not to be had from npm\n`);
  const status =
    binary === null
      ? 1
      : spawnSync(binary, ['--no-warnings', join(HERE, 'test/contract-runner.mjs')], { stdio: 'inherit' }).status;
  failed += status === 0 ? 0 : 1;
}
process.exitCode = failed > 0 ? 1 : 0;
