import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import type { SharedGateway } from '../support/gateway.js';
import { ApiClient } from '../support/api-client.js';
import { sharedGateway } from '../support/shared-gateway.js';
import { drawSmallWoundPhoto, drawWoundPhoto } from '../support/wound-photo.js';
import { buildHapi, LACKS_MAVEN } from './hapi-program.js';
import { describeWith } from './toolchain.js';

const RECIPES = resolve(__dirname, '../../docs/recipes');
const LIBRARIES = resolve(__dirname, 'hapi/target/lib');
const ROOT = resolve(__dirname, '../..');
const run = promisify(execFile);

/** Medplum's client as far as the Bot asks it. */
const RUN_BOT = `import { readFileSync } from 'node:fs';
import { handler } from './bot.mjs';
const [base, key, photo, number] = process.argv.slice(2);
const medplum = {
  readReference: async () => ({ id: 'p1', identifier: number === '' ? [] : [{ system: 'urn:oid:2.999.1', value: number }] }),
  download: async () => new Blob([readFileSync(photo)]),
};
const input = {
  resourceType: 'Media', id: 'm1', meta: { versionId: '1' }, status: 'completed', subject: { reference: 'Patient/p1' },
  createdDateTime: '2026-03-15T09:40:00+01:00', content: { contentType: 'image/jpeg', url: 'Binary/b1' },
};
const secrets = { SUTURA_BASE_URL: { valueString: base }, SUTURA_API_KEY: { valueString: key } };
console.log(await handler(medplum, { input, secrets }));
`;

describeWith(LACKS_MAVEN)('the recipe for HAPI’s client', () => {
  let gateway: SharedGateway;
  let folder: string;

  beforeAll(async () => {
    await buildHapi();
    gateway = await sharedGateway();
    folder = await mkdtemp(join(tmpdir(), 'sutura-recipe-'));
    const page = await readFile(join(RECIPES, 'hapi-client.md'), 'utf8');
    await writeFile(join(folder, 'SendWound.java'), /```java\n([\s\S]*?)```/.exec(page)![1]!);
    await writeFile(join(folder, 'photo.jpg'), await drawWoundPhoto());
  }, 600_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const send = async (key: string): Promise<string> => {
    const env = { ...process.env, SUTURA_BASE_URL: gateway.baseUrl, SUTURA_API_KEY: key };
    const words = ['-cp', `${LIBRARIES}/*`, 'SendWound.java', 'photo.jpg'];
    return (await run('java', words, { cwd: folder, env })).stdout;
  };

  it('is told what is wrong with its key', async () => {
    await expect(send('sut_test_none')).rejects.toThrow(/AuthenticationException: HTTP 401/);
  }, 120_000);

  it('prints the report of the photo and its measures, run as the page says', async () => {
    const scopes = ['images:write', 'analysis:write', 'analysis:read'];
    const { key } = await gateway.createKey(await gateway.createOrganization(), 'test', scopes);
    const printed = await send(key);
    expect(printed).toMatch(/^preliminary: /m);
    expect(printed).toMatch(/: [\d.]+ cm2$/m);
  }, 180_000);
});

describe('the recipe for a Medplum Bot', () => {
  let folder: string;
  let source: string;

  beforeAll(async () => {
    // Below the root, so that Medplum's packages are found.
    folder = await mkdtemp(join(ROOT, 'node_modules/.sutura-recipe-'));
    source = /```ts\n([\s\S]*?)```/.exec(await readFile(join(RECIPES, 'medplum-bot.md'), 'utf8'))![1]!;
    await writeFile(join(folder, 'bot.mts'), source);
    const { outputText } = ts.transpileModule(source, {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
    });
    await writeFile(join(folder, 'bot.mjs'), outputText);
    await writeFile(join(folder, 'run.mjs'), RUN_BOT);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('has the types of Medplum', async () => {
    const flags = [
      '--noEmit',
      '--strict',
      '--target',
      'es2022',
      '--module',
      'nodenext',
      '--skipLibCheck',
      '--ignoreConfig',
    ];
    const { stdout } = await run(
      process.execPath,
      [join(ROOT, 'node_modules/typescript/bin/tsc'), ...flags, 'bot.mts'],
      { cwd: folder },
    ).catch((fault: { stdout: string }) => fault);
    expect(stdout).toBe('');
  }, 120_000);

  it('sends the photo of a Media once, for its patient, whose number it needs', async () => {
    const gateway = await sharedGateway();
    const client = await gateway.createClient();
    const photo = join(folder, 'photo.jpg');
    await writeFile(photo, await drawSmallWoundPhoto());
    const bot = async (patientId: string): Promise<string> =>
      (await run(process.execPath, ['run.mjs', gateway.baseUrl, client.key!, photo, patientId], { cwd: folder }))
        .stdout;
    await expect(bot('')).rejects.toThrow(/0 current numbers of/);
    const id = (await bot('MRN-4711')).trim();
    const job = await new ApiClient(gateway.baseUrl, client.key).waitForJob(id);
    expect([job.status, job.subject.patientId, job.metadata]).toEqual(['completed', 'MRN-4711', { media: 'Media/m1' }]);
    expect((await bot('MRN-4711')).trim()).toBe(id);
  }, 120_000);
});
