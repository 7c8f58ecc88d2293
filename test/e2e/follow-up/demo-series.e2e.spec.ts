import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { WOUND_COURSE } from '../../support/wound-series.js';

const ROOT = resolve(__dirname, '../../..');
const run = promisify(execFile);
/** A model outlines a drawing less exactly than a colour rule; a new one is still to see what everybody sees. */
const MOST_ERROR_PCT = 6;

describe('npm run demo:series', () => {
  let gateway: Gateway;
  let folder: string;
  let variables: NodeJS.ProcessEnv;

  beforeAll(async () => {
    if (!existsSync(join(ROOT, 'sdk/javascript/dist/index.js')))
      throw new Error('The library is not built: "npm run build:sdk".');
    gateway = await startGateway({
      env: { SUTURA_MODELS_DIR: join(ROOT, 'models'), SUTURA_SEGMENTATION_MODEL: 'fast' },
    });
    folder = await mkdtemp(join(tmpdir(), 'sutura-demo-'));
    const { key } = await gateway.createClient();
    const { PATH, HOME } = process.env;
    variables = { PATH, HOME, SUTURA_BASE_URL: gateway.baseUrl, SUTURA_API_KEY: key ?? '' };
  });
  afterAll(async () => {
    await gateway?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  const demo = (...words: string[]) =>
    run(process.execPath, [join(ROOT, 'scripts/demo-series.mjs'), ...words], { cwd: folder, env: variables });

  it('says how it is called where it is called wrongly', async () => {
    const fault = await demo('--weeks', '9').catch((refused: unknown) => refused as { code: number; stderr: string });
    expect(fault).toMatchObject({ code: 2, stderr: expect.stringContaining('Usage: npm run demo:series') });
  });

  it('prints eight weeks beside the drawn truth and saves the reports', async () => {
    const { stdout } = await demo();
    const rows = [
      ...stdout.matchAll(/^\d{4}-\d\d-\d\d +([\d.]+) \([\d.]+ to [\d.]+\) +([\d.]+) +([+-]?[\d.]+) %.*$/gm),
    ];
    expect(rows.map(([, , drawn]) => Number(drawn))).toEqual(WOUND_COURSE.map(({ areaCm2 }) => areaCm2));
    for (const [row, , , off] of rows)
      expect({ row, fine: Math.abs(Number(off)) < MOST_ERROR_PCT }).toEqual({ row, fine: true });
    for (const [row] of rows.slice(3)) expect(row).toContain('smaller');
    expect(rows[4]![0]).toMatch(/area reduction below 50 at 4 weeks$/);

    const saved = join(folder, 'wound-series');
    expect((await readdir(saved)).sort()).toEqual([
      'course.pdf',
      'report.html',
      'report.pdf',
      ...WOUND_COURSE.map(({ week }) => `week-${week}.jpg`),
    ]);
    for (const name of ['report.pdf', 'course.pdf'])
      expect((await readFile(join(saved, name))).subarray(0, 5).toString()).toBe('%PDF-');
    expect(await readFile(join(saved, 'report.html'), 'utf8')).toContain(`${rows[7]![1]}\u00a0cm²`);
    expect(stdout).toContain(saved);
    expect(stdout).toMatch(/^Open the report: \S+ wound-series.report\.pdf$/m);
  });
});
