import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/free-port.js';
import { isAlive } from '../../support/gateway-process.js';
import { TEST_MODEL, writeTestModel } from '../../support/test-model.js';

const ROOT = resolve(__dirname, '../../..');
const run = promisify(execFile);
/** What docs/operations.md promises. */
const GRACE_MS = 30_000;

describe('a stop that nobody hears', () => {
  it('ends the gateway where the program that started it has signalled its group and gone, three times of three', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'sutura-unheard-'));
    await writeTestModel(join(dataDir, 'models'));
    for (let time = 0; time < 3; time += 1) {
      const port = await freePort();
      const variables = {
        PORT: String(port),
        HL7_PORT: '0',
        SUTURA_DATA_DIR: dataDir,
        SUTURA_MODELS_DIR: join(dataDir, 'models'),
        SUTURA_SEGMENTATION_MODEL: TEST_MODEL,
        SUTURA_WORKER_PROCESSES: '1',
      };
      const starter = [resolve(ROOT, 'test/support/leaving-starter.mjs'), `http://127.0.0.1:${port}/health/ready`];
      const { stdout } = await run(
        process.execPath,
        [...starter, process.execPath, resolve(ROOT, 'dist/src/main.js')],
        { cwd: ROOT, env: { ...process.env, ...variables } },
      );
      const pid = Number(stdout);
      expect(pid).toBeGreaterThan(0);
      await eventually('the gateway has ended', () => !isAlive(pid), GRACE_MS);
    }
    await rm(dataDir, { recursive: true, force: true });
  }, 180_000);

  it('ends by force where its main thread is held up', async () => {
    const program = `import { limitStop } from ${JSON.stringify(`file://${resolve(ROOT, 'dist/src/platform/stop-limit.js')}`)};
      setInterval(() => undefined, 60_000);
      await limitStop(500);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'ignore' });
    const begun = performance.now();
    const [, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    expect(signal).toBe('SIGKILL');
    expect(performance.now() - begun).toBeLessThan(10_000);
  });
});
