import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { startGateway, type Gateway } from '../../support/gateway.js';

const ROOT = resolve(__dirname, '../../..');
const run = promisify(execFile);

/** As somebody tries it who has just started a gateway: its own database, and the key of the demo organization. */
describe('npm run demo:webhooks', () => {
  let gateway: Gateway;

  beforeAll(() => {
    if (!existsSync(join(ROOT, 'sdk/javascript/dist/index.js')))
      throw new Error('The library is not built: "npm run build:sdk".');
  });
  afterEach(() => gateway?.stop());

  const demo = async (env: Record<string, string>, ...words: string[]) => {
    gateway = await startGateway({
      databaseUrl: null,
      env: { SUTURA_MODELS_DIR: join(ROOT, 'models'), SUTURA_SEGMENTATION_MODEL: 'fast', HL7_PORT: '0', ...env },
    });
    // The key is made once the gateway listens.
    await gateway.process.waitForEvent('demo.ready', 60_000);
    const { PATH, HOME } = process.env;
    const variables = { PATH, HOME, SUTURA_DATA_DIR: gateway.dataDir, SUTURA_BASE_URL: gateway.baseUrl };
    const command = [join(ROOT, 'scripts/demo-webhooks.mjs'), ...words];
    return run(process.execPath, command, { cwd: ROOT, env: variables }).catch(
      (fault: unknown) => fault as { code: number; stderr: string; stdout: string },
    );
  };

  it('says what is missing where the gateway may not reach this machine', async () => {
    expect(await demo({})).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('SUTURA_DELIVERY_NETWORKS=127.0.0.0/8'),
    });
  });

  it('prints what a webhook and a FHIR Subscription are told of one photo, with verified signatures', async () => {
    const { stdout } = await demo({ SUTURA_DELIVERY_NETWORKS: '127.0.0.0/8' });
    for (const type of ['analysis.completed', 'wound.opened', 'report.ready'])
      expect(stdout).toMatch(
        new RegExp(`^ {2}${type.replace('.', '[.]')} +verified v1, id [0-9a-f-]{36}, sequence \\d`, 'm'),
      );
    expect(stdout).toMatch(/areaCm2 [\d.]+$/m);
    expect(stdout).toMatch(/^ {2}handshake +verified v1, id [0-9a-f-]{36}, event 0, status requested$/m);
    expect(stdout).toMatch(
      /^ {2}event-notification +verified v1, id [0-9a-f-]{36}, event 1, status active, changed http\S+\/fhir\/DiagnosticReport\/[0-9a-f-]{36}$/m,
    );
    expect(stdout).not.toContain('refused');
  }, 180_000);
});
