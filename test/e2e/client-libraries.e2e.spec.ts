import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { readExamples } from '../../sdk/javascript/test/examples.js';
import { S3Peer } from '../peers/s3-peer.js';
import { startGateway, type Gateway, type SharedGateway } from '../support/gateway.js';
import { sharedGateway } from '../support/shared-gateway.js';
import { drawSmallWoundPhoto } from '../support/wound-photo.js';

const ROOT = resolve(__dirname, '../..');
const JAVASCRIPT = join(ROOT, 'sdk/javascript');
const run = promisify(execFile);
const examples = readExamples();

function findPython(): string | undefined {
  const isNewEnough = (command: string): boolean =>
    spawnSync(command, ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status === 0;
  return ['python3', 'python'].find(isNewEnough);
}

const python = findPython();
const testPython = python === undefined ? test.skip : test;

/** The environment of a program that uses a library; one organization each. */
async function callerOf(service: SharedGateway): Promise<NodeJS.ProcessEnv> {
  const { key } = await service.createClient();
  const { PATH, HOME } = process.env;
  return { PATH, HOME, SUTURA_BASE_URL: service.baseUrl, SUTURA_API_KEY: key ?? '', PYTHONDONTWRITEBYTECODE: '1' };
}

async function folderWithPhoto(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sutura-clients-'));
  await writeFile(join(folder, 'photo.jpg'), await drawSmallWoundPhoto());
  return folder;
}

async function outputOf(cwd: string, env: NodeJS.ProcessEnv, command: string, ...words: string[]): Promise<string> {
  return (await run(command, words, { cwd, env, maxBuffer: 16 * 1024 * 1024 })).stdout;
}

beforeAll(() => {
  if (!existsSync(join(JAVASCRIPT, 'dist/index.js'))) throw new Error('The library is not built: "npm run build:sdk".');
});

const javascriptFlow = [process.execPath, join(JAVASCRIPT, 'test/e2e-flow.mjs'), 'photo.jpg'] as const;
const pythonTasks = [python ?? '', join(ROOT, 'sdk/python/tests/e2e_async.py'), 'photo.jpg'] as const;
const pythonFlow = [python ?? '', join(ROOT, 'sdk/python/tests/e2e_flow.py'), 'photo.jpg'] as const;

describe('the client libraries against a gateway', () => {
  let gateway: SharedGateway;
  let folder: string;
  let variables: NodeJS.ProcessEnv;

  beforeAll(async () => {
    gateway = await sharedGateway();
    folder = await folderWithPhoto();
    variables = await callerOf(gateway);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('JavaScript does the whole flow', async () => {
    const said = await outputOf(folder, await callerOf(gateway), ...javascriptFlow);
    expect(JSON.parse(said)).toMatchObject({ ok: true });
  });

  testPython('Python (3.9 or newer, where there is one) does the whole flow', async () => {
    const said = await outputOf(folder, await callerOf(gateway), ...pythonFlow);
    expect(JSON.parse(said)).toMatchObject({ ok: true });
  });

  testPython('Python does it with asyncio, and sets up webhooks, cards and what waits', async () => {
    const said = await outputOf(folder, await callerOf(gateway), ...pythonTasks);
    expect(JSON.parse(said)).toMatchObject({ ok: true });
  });

  it('npm run demo prints the measures and saves both pictures', async () => {
    const said = await outputOf(
      folder,
      variables,
      process.execPath,
      join(ROOT, 'scripts/demo.mjs'),
      'photo.jpg',
      '--mm-per-pixel',
      '0.2',
    );
    expect(said).toMatch(
      /^Job [0-9a-f-]{36}: completed in \d+ ms\nModel .*\nScale: 0\.2 mm per pixel \(client\)\nWound 1, outline of \d+ points\n {2}area {7}[\d.]+ pixels, [\d.]+ cm2\n/,
    );
    expect(said).toMatch(/^Saved photo\.overlay\.jpg and photo\.mask\.png$/m);
    expect((await readFile(join(folder, 'photo.mask.png'))).subarray(1, 4).toString()).toBe('PNG');
    expect((await readFile(join(folder, 'photo.overlay.jpg'))).length).toBeGreaterThan(1000);
  });

  it('the example programs of both libraries run', async () => {
    expect(
      await outputOf(folder, variables, process.execPath, join(JAVASCRIPT, 'example/analyse.mjs'), 'photo.jpg', '0.2'),
    ).toMatch(/^area [\d.]+ cm2, length [\d.]+ cm/);
    if (python === undefined) return;
    const env = { ...variables, PYTHONPATH: join(ROOT, 'sdk/python/src') };
    expect(await outputOf(folder, env, python, join(ROOT, 'sdk/python/example/analyse.py'), 'photo.jpg')).not.toBe('');
  });

  describe('each example of the JavaScript documentation', () => {
    let results: Record<string, { fault: string | null; said: string[] }>;

    beforeAll(async () => {
      const project = await mkdtemp(join(folder, 'examples-'));
      await mkdir(join(project, 'node_modules/@sutura'), { recursive: true });
      await symlink(JAVASCRIPT, join(project, 'node_modules/@sutura/sdk'), 'junction');
      await writeFile(join(project, 'photo.jpg'), await readFile(join(folder, 'photo.jpg')));
      for (const { fileName, source } of examples) {
        const { outputText } = ts.transpileModule(source, {
          compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
        });
        await writeFile(join(project, fileName.replace('.mts', '.mjs')), outputText);
      }
      const client = await gateway.createClient();
      const job = await client.analyse(await drawSmallWoundPhoto());
      const imageId = await client.uploadPhoto(await drawSmallWoundPhoto({ seed: 2 }));
      const reportId = (job.links.report as string).split('/').at(-1)!;
      const report = await client.request('GET', `/api/v1/reports/${reportId}`);
      const ids = {
        EXAMPLE_JOB_ID: job.id as string,
        EXAMPLE_IMAGE_ID: imageId,
        EXAMPLE_REPORT_ID: reportId,
        EXAMPLE_WOUND_ID: report.body.subject.woundRef as string,
      };
      const env = { ...variables, SUTURA_API_KEY: client.key ?? '', ...ids };
      const files = examples.map(({ fileName }) => fileName.replace('.mts', '.mjs'));
      const { stdout } = await run(process.execPath, [join(JAVASCRIPT, 'test/run-examples.mjs'), ...files], {
        cwd: project,
        env,
        maxBuffer: 16 * 1024 * 1024,
      });
      results = JSON.parse(stdout) as typeof results;
    });

    it.each(examples.map(({ name, fileName }) => [name, fileName.replace('.mts', '.mjs')]))('%s', (_, file) => {
      expect(results[file]?.fault).toBeNull();
    });

    it('says what its comments promise', () => {
      for (const { fileName, source } of examples) {
        const said = results[fileName.replace('.mts', '.mjs')]?.said.join('\n') ?? '';
        for (const [, promised = ''] of source.matchAll(/console\.log\(.*\); \/\/ (\w+)/g))
          if (promised !== 'TimeoutError' && !promised.startsWith('0199')) expect(said).toContain(promised);
      }
    });
  });
});

describe('the client libraries against a gateway whose photos go to an S3 store', () => {
  let peer: S3Peer;
  let gateway: Gateway;
  let folder: string;

  beforeAll(async () => {
    peer = await S3Peer.start();
    gateway = await startGateway({ env: peer.environment });
    folder = await folderWithPhoto();
  });
  afterAll(async () => {
    await gateway?.stop();
    await peer?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('JavaScript does the whole flow', async () => {
    expect(JSON.parse(await outputOf(folder, await callerOf(gateway), ...javascriptFlow))).toMatchObject({ ok: true });
    expect(peer.objects.size).toBeGreaterThan(0);
  });

  testPython('Python does the whole flow', async () => {
    expect(JSON.parse(await outputOf(folder, await callerOf(gateway), ...pythonFlow, '--photos-alone'))).toMatchObject({
      ok: true,
    });
  });
});
