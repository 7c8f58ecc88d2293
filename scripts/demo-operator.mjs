// What the demos ask of the operator's command line.
import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DemoFailure } from './demo-gateway.mjs';

const CLI = join(dirname(fileURLToPath(import.meta.url)), 'cli.mjs');
const DEMO_ORGANIZATION = 'Demo clinic';
const run = promisify(execFile);

/** One command of the operator's; its JSON. `variables`: settings over those of this process. */
export async function command(words, variables = {}) {
  const env = { ...process.env, ...variables };
  const { stdout } = await run(process.execPath, [CLI, ...words, '--json'], { env }).catch((fault) => {
    throw new DemoFailure(`"cli ${words.slice(0, 3).join(' ')}" failed: ${(fault.stderr || fault.message).trim()}`);
  });
  return JSON.parse(stdout);
}

/** The organization that is given, else the one that a first start makes. `why`: what it is needed for. */
export async function findOrganization(given, why) {
  if (given !== undefined) return given;
  const organizations = await command(['org', 'list']);
  const demo = organizations.find(({ name }) => name === DEMO_ORGANIZATION);
  if (demo === undefined) throw new DemoFailure(`Say with --org ${why}: "npm run cli -- org list".`);
  return demo.organizationId;
}
