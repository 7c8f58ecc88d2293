import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import type { DeidentifiedResult } from '../../../src/research/deidentified-result.js';
import { readWoundMask } from '../../../tools/evaluation/pictures/label-mask.js';
import { listLabelledPictures } from '../../../tools/evaluation/pictures/labelled-pictures.js';
import { ApiClient, expectStatus } from '../../support/api-client.js';
import { runCommand } from '../../support/command-line.js';
import { queryDatabase } from '../../support/database-query.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

const DAY_MS = 86_400_000;
const WORDS = ['MRN-ALMA', 'MRN-BODO', 'Marienhospital', 'heel', 'Nurse Beispiel', 'Kamerafabrik'];

describe('a research export', () => {
  let gateway: Gateway;
  let organization: string;
  let client: ApiClient;
  let root: string;
  const jobs: { id: string; imageId: string; reportId: string }[] = [];

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'research-'));
    gateway = await startGateway({ roles: 'api,worker' });
    organization = await gateway.createOrganization();
    client = new ApiClient(gateway.baseUrl, (await gateway.createKey(organization)).key);
    for (const [seed, patientId, capturedAt] of [
      [1, 'MRN-ALMA', '2026-01-05T08:30:00Z'],
      [2, 'MRN-ALMA', '2026-01-12T23:30:00Z'],
      [3, 'MRN-BODO', '2026-01-05T08:30:00Z'],
    ] as const) {
      const job = await client.analyse(await photographed(seed), {
        subject: { patientId, woundId: `heel of ${patientId}` },
        capturedAt,
        clinicalContext: 'seen in the Marienhospital',
      });
      jobs.push({ ...job, reportId: (job.links.report as string).split('/').at(-1)! });
    }
  });
  afterAll(async () => {
    await gateway?.stop();
    await rm(root, { recursive: true, force: true });
  });

  /** As a camera writes it: turned, with the place and its maker. */
  const photographed = async (seed: number): Promise<Buffer> =>
    sharp(await drawWoundPhoto({ seed }))
      .rotate(90)
      .withExif({
        IFD0: { Make: 'Kamerafabrik', Artist: 'Nurse Beispiel' },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
      })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
  const command = (...words: string[]) =>
    runCommand(words, { DATABASE_URL: gateway.databaseUrl, SUTURA_DATA_DIR: gateway.dataDir });
  const take = (name: string, env = 'test') =>
    command('export', 'research', '--org', organization, '--env', env, '--out', join(root, name), '--json');
  const resultsOf = async (name: string): Promise<DeidentifiedResult[]> =>
    (await readFile(join(root, name, 'results.ndjson'), 'utf8'))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as DeidentifiedResult);

  it('is refused until the organization allows it, and leaves nothing; that it was tried is written down', async () => {
    const { code, err } = await take('refused');
    expect([code, JSON.parse(err).error.code]).toEqual([1, 'research.not_allowed']);
    expect(await readdir(root)).toEqual([]);
    const tried = await queryDatabase<{ query: string }>(
      gateway.databaseUrl,
      `select query from audit_events where interaction = '$research-export'`,
    );
    expect(tried).toEqual([{ query: 'refused=research.not_allowed' }]);
    expect((await command('research', 'allow', '--org', '01890000-0000-7000-8000-000000000000')).code).toBe(1);
  });

  describe('once it is allowed', () => {
    let results: DeidentifiedResult[];
    beforeAll(async () => {
      const review = { decision: 'accept', reviewer: { id: 'N-17', name: 'Nurse Beispiel' } };
      const path = `/api/v1/reports/${jobs[2]!.reportId}`;
      const headers = { 'if-match': (await client.request('GET', path)).headers.get('etag')! };
      expectStatus(201, await client.request('POST', `${path}/reviews`, { json: review, headers }));
      expect((await command('research', 'allow', '--org', organization)).code).toBe(0);
      const { code, out } = await take('first');
      expect([code, JSON.parse(out)]).toMatchObject([
        0,
        { photos: 3, model: 2, accepted: 1, corrected: 0, missing: 0 },
      ]);
      results = await resultsOf('first');
    });

    it('has what npm run evaluate reads: photos with masks of their size', async () => {
      const folders = { images: join(root, 'first', 'images'), masks: join(root, 'first', 'masks'), limit: null };
      const { pictures, unusedMasks } = listLabelledPictures({ ...folders, idsFile: null });
      expect([pictures.map(({ id }) => id).sort(), unusedMasks]).toEqual([results.map(({ id }) => id).sort(), 0]);
      for (const { id, photoFile, maskFile } of pictures) {
        const { width, height } = await sharp(photoFile).metadata();
        const { pixels } = await readWoundMask(maskFile, { widthPx: width, heightPx: height });
        const { photo, figures } = results.find((one) => one.id === id)!;
        expect(photo).toEqual({ widthPx: width, heightPx: height });
        const labelled = pixels.reduce((sum, one) => sum + one, 0);
        expect(Math.abs(labelled - figures!.area.pixels) / figures!.area.pixels).toBeLessThan(0.05);
      }
      const { pictures: reviewed } = listLabelledPictures({ ...folders, idsFile: join(root, 'first', 'reviewed.txt') });
      expect(reviewed).toHaveLength(1);
    });

    it('has nothing of camera, place, person or text, in names and bytes of files alike', async () => {
      const files = (await readdir(join(root, 'first'), { recursive: true, withFileTypes: true })).filter((one) =>
        one.isFile(),
      );
      const ids = jobs.flatMap((job) => [job.id, job.imageId, job.reportId, organization]);
      for (const { parentPath, name } of files) {
        const path = join(parentPath, name);
        const bytes = await readFile(path);
        expect([
          name,
          [...WORDS, ...ids, 'Exif', 'GPS'].filter((word) => name.includes(word) || bytes.includes(word)),
        ]).toEqual([name, []]);
        expect([name, (await stat(path)).mode & 0o077]).toEqual([name, 0]);
        if (!name.endsWith('.jpg')) continue;
        const { exif, icc, xmp, iptc, orientation } = await sharp(bytes).metadata();
        expect([exif, icc, xmp, iptc, orientation]).toEqual([undefined, undefined, undefined, undefined, undefined]);
      }
    });

    it('shifts the days of one patient by one number, and keeps those between them', () => {
      const of = (patient: string) =>
        results
          .filter((one) => one.patient === patient)
          .map(({ takenOn }) => Date.parse(takenOn))
          .sort();
      const alma = results.map(({ patient }) => patient).find((one) => of(one).length === 2)!;
      const bodo = results.map(({ patient }) => patient).find((one) => of(one).length === 1)!;
      const [first, second] = of(alma);
      expect((second! - first!) / DAY_MS).toBe(7);
      for (const day of [first!, of(bodo)[0]!]) {
        const shift = (Date.parse('2026-01-05') - day) / DAY_MS;
        expect([shift >= 1, shift <= 364]).toEqual([true, true]);
      }
    });

    it('gives the same names again, and leaves a photo out that was deleted meanwhile', async () => {
      expectStatus(204, await client.request('DELETE', `/api/v1/images/${jobs[0]!.imageId}`));
      expect((await take('second')).code).toBe(0);
      const again = await resultsOf('second');
      expect(again).toHaveLength(2);
      for (const one of again)
        expect(results.find(({ id }) => id === one.id)).toMatchObject({ patient: one.patient, takenOn: one.takenOn });
    });

    it('writes over no folder, has nothing of the other environment, and ends when it is forbidden', async () => {
      expect((await take('first')).code).toBe(2);
      expect(JSON.parse((await take('live', 'live')).out)).toMatchObject({ photos: 0 });
      expect((await command('research', 'forbid', '--org', organization)).code).toBe(0);
      expect((await take('third')).code).toBe(1);
      expect((await readdir(root)).sort()).toEqual(['first', 'live', 'second']);
    });
  });
});
