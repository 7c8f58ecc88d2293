import { execFile } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { send } from '../../support/api-client.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

const run = promisify(execFile);
const ROOT = resolve(__dirname, '../../..');
const PROGRAM = join(ROOT, 'test/fixtures/generators/use_python_client.py');

/** The generator's program; undefined where it is not installed (pip install openapi-python-client). */
const generator = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'openapi-python-client'))
  .find((file) => isExecutable(file));
if (generator === undefined)
  process.stdout.write('openapi-python-client is not on the PATH: no client is generated from the OpenAPI document.\n');
const whereGenerated = generator === undefined ? describe.skip : describe;

whereGenerated('the client that openapi-python-client generates', () => {
  let gateway: SharedGateway;
  let folder: string;

  beforeAll(async () => {
    gateway = await sharedGateway();
    folder = await mkdtemp(join(tmpdir(), 'sutura-generated-'));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it('is complete, and does one analysis from upload to report', async () => {
    const { bytes } = await send('GET', `${gateway.baseUrl}/api-docs/openapi.json`);
    await Promise.all([
      writeFile(join(folder, 'openapi.json'), bytes),
      writeFile(join(folder, 'photo.jpg'), await drawWoundPhoto()),
    ]);
    const generated = await run(generator!, [
      'generate',
      '--path',
      join(folder, 'openapi.json'),
      '--config',
      join(ROOT, 'docs/openapi-python-client.yml'),
      '--output-path',
      join(folder, 'client'),
      '--meta',
      'setup',
      '--fail-on-warning',
    ]);
    expect(generated.stdout).not.toContain('Cannot parse');
    const { key } = await gateway.createKey(await gateway.createOrganization());
    const used = await run(pythonOf(generator!), [
      PROGRAM,
      join(folder, 'client'),
      gateway.baseUrl,
      key,
      gateway.adminToken,
      join(folder, 'photo.jpg'),
    ]);
    expect(used.stdout.trim()).toBe('the generated client works');
  });
});

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The Python that the generator's libraries are installed for. */
function pythonOf(program: string): string {
  return /^#!\s*(\S+)/.exec(readFileSync(program, 'utf8'))?.[1] ?? 'python3';
}
