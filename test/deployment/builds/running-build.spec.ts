import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CheckoutCopy } from '../../support/checkout-copy.js';
import { eventually } from '../../support/eventually.js';
import { GatewayProcess } from '../../support/gateway-process.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';
import { TEST_MODEL, writeTestModel } from '../../support/test-model.js';

const commandLineOf = (pid: number): string => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');

describe('a gateway beside which another build is made', () => {
  let copy: CheckoutCopy;
  let database: TestDatabase;
  let dataDir: string;
  let gateway: GatewayProcess;

  beforeAll(async () => {
    copy = await CheckoutCopy.make();
    database = await createTestDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'sutura-running-build-'));
    await writeTestModel(join(dataDir, 'test-models'));
    const { PATH, HOME } = process.env;
    const variables = {
      PATH,
      HOME,
      NODE_ENV: 'test',
      PORT: '0',
      HL7_PORT: '0',
      DATABASE_URL: database.url,
      SUTURA_DATA_DIR: dataDir,
      SUTURA_MODELS_DIR: join(dataDir, 'test-models'),
      SUTURA_SEGMENTATION_MODEL: TEST_MODEL,
      SUTURA_WORKER_PROCESSES: '1',
    };
    const starter = { program: process.execPath, words: ['dist/src/main.js'], cwd: copy.folder };
    gateway = new GatewayProcess(variables, starter);
  });
  afterAll(async () => {
    if (gateway?.hasExited === false) {
      gateway.signal('SIGTERM');
      await gateway.exited;
    }
    await database?.drop();
    await copy?.remove();
    if (dataDir !== undefined) await rm(dataDir, { recursive: true, force: true });
  });

  it('starts processes and reads files of its own build from then on, and its build stays', async () => {
    const { url } = await gateway.waitForEvent('server.listening');
    await gateway.waitForEvent('inference_process.ready');
    const own = copy.currentBuild;
    const isNoted = (): boolean => existsSync(copy.path(`.cache/builds/${own}/in-use/${gateway.pid}`));
    expect(isNoted()).toBe(true);
    const [first] = gateway.inferencePids();

    // Of the later build no process could start.
    copy.change('src/inference/model/inference-child.ts', 'throw new Error("of the later build");');
    copy.change('src/doors/native/openapi/api-docs.ts', 'throw new Error("of the later build");');
    expect(await copy.build()).toMatchObject({ code: 0, err: '' });
    expect(copy.currentBuild).not.toBe(own);

    process.kill(first!, 'SIGKILL');
    const [second] = await eventually('a second inference process that is ready', () =>
      gateway.events('inference_process.ready').length === 2 ? gateway.inferencePids() : null,
    );
    expect(second).not.toBe(first);
    expect(commandLineOf(second!)).toContain(`.cache/builds/${own}/src/inference/model/inference-child.js`);

    // Read with the first request for it.
    expect((await fetch(`${String(url)}/api-docs/openapi.json`)).status).toBe(200);
    expect(await (await fetch(`${String(url)}/console`)).text()).toContain('Sutura console');
    expect(await copy.builds()).toEqual([own, copy.currentBuild].sort());

    gateway.signal('SIGTERM');
    await gateway.exited;
    expect(isNoted()).toBe(false);
  });
});
