import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { startGateway, type Gateway } from '../../support/gateway.js';

const ROOT = resolve(__dirname, '../../..');
const run = promisify(execFile);

/** As somebody tries it who has just started a gateway: its own database, the demo organization and its listener. */
describe('npm run demo:hl7', () => {
  let gateway: Gateway;
  let folder: string;
  let variables: NodeJS.ProcessEnv;

  beforeAll(async () => {
    if (!existsSync(join(ROOT, 'sdk/javascript/dist/index.js')))
      throw new Error('The library is not built: "npm run build:sdk".');
    gateway = await startGateway({
      databaseUrl: null,
      env: { HL7_PORT: '0', SUTURA_MODELS_DIR: join(ROOT, 'models'), SUTURA_SEGMENTATION_MODEL: 'fast' },
    });
    folder = await mkdtemp(join(tmpdir(), 'sutura-demo-'));
    const { port } = await gateway.process.waitForEvent('hl7.listening');
    const { PATH, HOME } = process.env;
    variables = { PATH, HOME, SUTURA_DATA_DIR: gateway.dataDir, HL7_PORT: String(port) };
  });
  afterAll(async () => {
    await gateway?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  const demo = (...words: string[]) =>
    run(process.execPath, [join(ROOT, 'scripts/demo-hl7.mjs'), ...words], {
      cwd: ROOT,
      env: variables,
      maxBuffer: 1 << 24,
    });
  const refused = (...words: string[]) =>
    demo(...words).catch((fault: unknown) => fault as { code: number; stderr: string });

  it('says how it is called where it is called wrongly, and where nobody listens', async () => {
    expect(await refused('--weeks', '9')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Usage: npm run demo:hl7'),
    });
    expect(await refused('--to', '127.0.0.1:1')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Nobody takes HL7 v2 messages'),
    });
  });

  it('sends two orders with photos and prints the results, the second with the change and the report inside', async () => {
    const { stdout } = await demo('--out', folder);
    const [first, second] = stdout.split('Photo 2 of 2');
    for (const part of [first!, second!]) {
      expect(part).toContain('← AA');
      expect(part).toMatch(/^ {2}MSH\|\^~\\&\|SUTURA\|.*\|ORU\^R01\^ORU_R01\|/m);
      expect(part).toMatch(/^ {2}OBX\|\d+\|NM\|89260-4\^Area of wound\^LN\|1\|[\d.]+\|cm2/m);
      expect(part).toMatch(/PDF of \d+ kB inside/);
    }
    expect(first).toContain('the first of its series');
    expect(second).toMatch(/-[\d.]+ % since the photo before/);
    for (const name of ['report-1.pdf', 'report-2.pdf'])
      expect((await readFile(join(folder, name))).subarray(0, 5).toString()).toBe('%PDF-');
  }, 180_000);
});
