import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DemoFailure } from '../demo-gateway.mjs';

const CLI = join(dirname(dirname(fileURLToPath(import.meta.url))), 'cli.mjs');
const DEMO_ORGANIZATION = 'Demo clinic';
const run = promisify(execFile);

/** One command of the operator's; its JSON. */
async function command(...words) {
  const { stdout } = await run(process.execPath, [CLI, ...words, '--json']).catch((fault) => {
    throw new DemoFailure(`"cli ${words.slice(0, 3).join(' ')}" failed: ${(fault.stderr || fault.message).trim()}`);
  });
  return JSON.parse(stdout);
}

/** The organization that is given, else the one that a first start makes. */
export async function findOrganization(given) {
  if (given !== undefined) return given;
  const organizations = await command('org', 'list');
  const demo = organizations.find(({ name }) => name === DEMO_ORGANIZATION);
  if (demo === undefined)
    throw new DemoFailure('Say with --org whose results shall come to the fake EHR: "npm run cli -- org list".');
  return demo.organizationId;
}

/** Has results sent to a port of this machine from now on. What takes it back. */
export async function sendResultsTo(organizationId, environment, port) {
  const of = ['--org', organizationId, '--env', environment];
  const { destinationId } = await command(
    'hl7',
    'destination',
    'create',
    ...of,
    '--name',
    `demo ${Date.now()}`,
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
  );
  return () => command('hl7', 'destination', 'delete', '--id', destinationId);
}
