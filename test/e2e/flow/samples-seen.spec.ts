import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { startGateway, type Gateway } from '../../support/gateway.js';

const ROOT = resolve(__dirname, '../../..');
const run = promisify(execFile);

describe('the samples, sent to a gateway with the shipped models', () => {
  let gateway: Gateway;

  beforeAll(async () => {
    if (!existsSync(join(ROOT, 'sdk/javascript/dist/index.js')))
      throw new Error('The library is not built: "npm run build:sdk".');
    gateway = await startGateway({
      env: { SUTURA_MODELS_DIR: join(ROOT, 'models'), SUTURA_SEGMENTATION_MODEL: 'fast' },
    });
  });
  afterAll(() => gateway?.stop());

  it('answer as samples.json says, which GET /api/v1/samples shows, and the list says that these models are in use', async () => {
    const client = await gateway.createClient();
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, SUTURA_BASE_URL: gateway.baseUrl, SUTURA_API_KEY: client.key ?? '' };
    const { stdout } = await run(process.execPath, [join(ROOT, 'scripts/samples.mjs'), '--check'], { env }).catch(
      (refused: unknown) => refused as { stdout: string },
    );
    expect(stdout).toBe('24 samples, 0 differences\n');
    const { body } = await client.request('GET', '/api/v1/samples');
    expect(body).toMatchObject({ seenWithActiveModels: true });
  }, 600_000);
});
