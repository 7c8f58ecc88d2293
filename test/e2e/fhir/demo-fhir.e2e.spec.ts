import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { startGateway, type Gateway } from '../../support/gateway.js';

const ROOT = resolve(__dirname, '../../..');
const run = promisify(execFile);

describe('npm run demo:fhir', () => {
  let gateway: Gateway;
  let variables: NodeJS.ProcessEnv;

  beforeAll(async () => {
    if (!existsSync(join(ROOT, 'sdk/javascript/dist/index.js')))
      throw new Error('The library is not built: "npm run build:sdk".');
    gateway = await startGateway({
      env: { SUTURA_MODELS_DIR: join(ROOT, 'models'), SUTURA_SEGMENTATION_MODEL: 'fast' },
    });
    const { key } = await gateway.createClient();
    const { PATH, HOME } = process.env;
    variables = { PATH, HOME, SUTURA_BASE_URL: gateway.baseUrl, SUTURA_API_KEY: key ?? '' };
  });
  afterAll(() => gateway?.stop());

  const demo = (...words: string[]) =>
    run(process.execPath, [join(ROOT, 'scripts/demo-fhir.mjs'), ...words], { cwd: ROOT, env: variables });

  it('says how it is called where it is called wrongly', async () => {
    const fault = await demo('--weeks', '9').catch((refused: unknown) => refused as { code: number; stderr: string });
    expect(fault).toMatchObject({ code: 2, stderr: expect.stringContaining('Usage: npm run demo:fhir') });
  });

  it('says what the gateway refused', async () => {
    const fault = await demo('--key', 'sut_test_wrong').catch(
      (refused: unknown) => refused as { code: number; stderr: string },
    );
    expect(fault).toMatchObject({ code: 1, stderr: expect.stringContaining('401') });
  });

  it('takes two photos of one wound from the order to the report, the second with its progress', async () => {
    const { stdout } = await demo();
    const [first, second] = stdout.split('Photo 2 of 2');
    for (const part of [first!, second!]) {
      expect(part).toMatch(/Task\/\S+: .*completed$/m);
      expect(part).toMatch(/^DiagnosticReport\/\S+ \(preliminary, photo of \d{4}-\d\d-\d\d\)$/m);
      expect(part).toMatch(/^ {2}Area of wound +[\d.]+ cm2$/m);
      expect(part).toMatch(/valid against R4 and its profile: [5-9] resources/);
    }
    expect(first).not.toContain('since the previous assessment');
    expect(second).toMatch(/Relative change of wound area since the previous assessment +-\d[\d.]* %/);
    expect(second!.match(/200 OK/g)).toHaveLength(2);
  });
});
