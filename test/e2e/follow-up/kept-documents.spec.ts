import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiClient, expectStatus, type Answer } from '../../support/api-client.js';
import type { SharedGateway } from '../../support/gateway.js';
import { readDocument } from '../../support/read-document.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

const WEEK_MS = 7 * 86_400_000;
const FIRST = Date.UTC(2025, 0, 6, 9);
const REVIEWER = { id: 'HCP-0042', name: 'Example Reviewer' };
const FHIR = { accept: 'application/fhir+json' };
const PDF = { accept: 'application/pdf' };

describe('kept documents, by whoever asks', () => {
  let gateway: SharedGateway;
  let organizationId: string;
  let client: ApiClient;
  const photos: Buffer[] = [];
  let wound = 0;

  beforeAll(async () => {
    gateway = await sharedGateway();
    organizationId = await gateway.createOrganization();
    client = new ApiClient(gateway.baseUrl, (await gateway.createKey(organizationId, 'test')).key);
    for (const seed of [1, 2, 3]) photos.push(await drawWoundPhoto({ seed, width: 320, height: 240 }));
  });
  beforeEach(() => {
    wound += 1;
  });

  async function assess(at: number, more: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
    const job = await client.analyse(photos[Math.abs(Math.round(at)) % 3]!, {
      subject: { patientId: 'MRN-1', woundId: `W-${wound}` },
      capturedAt: new Date(FIRST + at * WEEK_MS).toISOString(),
      calibration: { mmPerPixel: 0.2 },
      ...more,
    });
    return expectStatus(200, await client.request('GET', job.links.report));
  }
  const read = (id: string, query = '', headers: Record<string, string> = PDF) =>
    client.request('GET', `/api/v1/reports/${id}${query}`, { headers });
  const binary = (id: string, version = 1, headers: Record<string, string> = {}, method = 'GET') =>
    client.request(method, `/fhir/R4/Binary/${id}-v${version}`, { headers });
  const review = (report: Answer, json: object) =>
    client.request('POST', `/api/v1/reports/${report.body.id}/reviews`, {
      json: { reviewer: REVIEWER, ...json },
      headers: { 'if-match': report.headers.get('etag')! },
    });
  const erase = async ({ body }: Answer) =>
    expectStatus(204, await client.request('DELETE', `/api/v1/images/${body.imageId}`));
  const textOf = ({ bytes }: Answer) => readDocument(bytes, 'pdf');

  it('are none of another organization’s or environment’s, nor of a version that there is not, by any method', async () => {
    const { body } = await assess(0);
    const foreign = [
      await gateway.createClient(),
      new ApiClient(gateway.baseUrl, (await gateway.createKey(organizationId, 'live')).key),
    ];
    for (const other of foreign)
      for (const path of [
        `/api/v1/reports/${body.id}`,
        `/api/v1/reports/${body.id}/versions/1`,
        `/fhir/R4/Binary/${body.id}-v1`,
      ])
        for (const method of ['GET', 'HEAD'])
          expect((await other.request(method, path, { headers: { accept: '*/*' } })).status).toBe(404);
    for (const version of [2, 0, 99999]) expect((await binary(body.id as string, version)).status).toBe(404);
    expect((await read(body.id as string, '/versions/2')).status).toBe(404);
  });

  it('are the same for five who ask in two languages and on two papers at once, over REST and FHIR', async () => {
    const { body } = await assess(0);
    const forms = ['en', 'de'].flatMap((lang) => ['a4', 'letter'].map((paper) => `?lang=${lang}&paper=${paper}`));
    const asked = await Promise.all(
      forms.flatMap((form) =>
        Array.from({ length: 5 }, async () => [form, await read(body.id as string, form)] as const),
      ),
    );
    const bytesOf = (form: string) =>
      new Set(asked.flatMap(([one, { bytes }]) => (one === form ? [bytes.toString('base64')] : [])));
    expect(asked.every(([, { status }]) => status === 200)).toBe(true);
    expect(forms.map((form) => bytesOf(form).size)).toEqual([1, 1, 1, 1]);
    expect(new Set(forms.flatMap((form) => [...bytesOf(form)])).size).toBe(4);
    expect(bytesOf('?lang=en&paper=a4')).toContain((await binary(body.id as string)).bytes.toString('base64'));
  });

  it('are read in parts and by their head, and a part of the old one is not joined to the new one', async () => {
    const report = await assess(0);
    const id = report.body.id as string;
    const whole = await binary(id);
    const etag = whole.headers.get('etag')!;
    const part = await binary(id, 1, { range: 'bytes=10-19', 'if-range': etag });
    expect([part.status, part.bytes.equals(whole.bytes.subarray(10, 20))]).toEqual([206, true]);
    expect((await binary(id, 1, { range: `bytes=${whole.bytes.length}-` })).status).toBe(416);
    expect((await binary(id, 1, { range: 'bytes=0-1,4-5' })).status).toBe(200);
    const head = await binary(id, 1, {}, 'HEAD');
    expect([head.status, head.headers.get('etag'), head.headers.get('content-length')]).toEqual([
      200,
      etag,
      String(whole.bytes.length),
    ]);
    expect((await binary(id, 1, { 'if-none-match': etag })).status).toBe(304);
    await erase(report);
    const after = await binary(id, 1, { range: 'bytes=10-19', 'if-range': etag });
    expect([after.status, after.headers.get('etag') === etag]).toEqual([200, false]);
    for (const tag of [etag, 'W/"1"'])
      expect((await binary(id, 1, { 'if-none-match': tag, ...FHIR })).status).toBe(200);
    expect(
      (
        await client.request('GET', `/fhir/R4/Binary/${report.body.imageId}`, {
          headers: { 'if-none-match': 'W/"1"', ...FHIR },
        })
      ).status,
    ).toBe(410);
  });

  it('are each of one version while a person decides', async () => {
    const report = await assess(0);
    const id = report.body.id as string;
    const before = await binary(id);
    const [decided, ...seen] = await Promise.all([
      review(report, { decision: 'accept' }),
      ...Array.from({ length: 8 }, (_, index) => read(id, index % 2 === 0 ? '?lang=de' : '')),
    ]);
    expectStatus(201, decided!);
    for (const one of seen) {
      const version = /^"(\d+)\./.exec(one.headers.get('etag')!)![1];
      expect(textOf(one).replaceAll(/\s+/g, ' ')).toMatch(new RegExp(`[Vv]ersion ${version}\\b`));
    }
    expect((await binary(id)).bytes.equals(before.bytes)).toBe(true);
    expect(textOf(await read(id, '/versions/1?lang=fr'))).toContain('2');
    expect(textOf(await binary(id, 2))).toContain('Example Reviewer');
  });

  it('never fail and never show it again while a photo is deleted that stands between two others', async () => {
    const [first, second, third] = [await assess(0), await assess(1), await assess(2)];
    const ids = [first, second, third].map(({ body }) => body.id as string);
    const before = await Promise.all(ids.map((id) => binary(id)));
    const [, ...reads] = await Promise.all([
      erase(second),
      ...ids.flatMap((id) => [read(id), read(id, '?lang=es'), binary(id), read(id, '', { accept: 'text/html' })]),
    ]);
    expect(reads.map(({ status }) => status)).toEqual(reads.map(() => 200));
    const after = await Promise.all(ids.map((id) => binary(id)));
    expect(after.map(({ bytes }, index) => bytes.equals(before[index]!.bytes))).toEqual([true, false, false]);
    expect(textOf(after[2]!)).toContain('deleted');
    const shown = await client.request('GET', `/fhir/R4/DiagnosticReport/${ids[2]}`);
    const { url, size } = shown.body.presentedForm[0] as { url: string; size: number };
    expect((await client.request('GET', `/fhir/R4/${url}`)).bytes.length).toBe(size);
  });

  it('keep their number of the day, while the reports tell the present one', async () => {
    const [second, third] = [await assess(1), await assess(12)];
    const ids = [second, third].map(({ body }) => body.id as string);
    const before = await Promise.all(ids.map((id) => binary(id)));
    await assess(-2, { calibration: undefined });
    const present = await Promise.all(ids.map((id) => read(id, '', { accept: 'application/json' })));
    expect(present.map(({ body }) => body.sequence)).toEqual([2, 3]);
    expect((await binary(ids[1]!)).bytes.equals(before[1]!.bytes)).toBe(true);
    expect(textOf(before[1]!)).toMatch(/2\s\(as\sof\s/);
  });

  it('of a report that a person filed elsewhere say where to look, in the version that stands', async () => {
    const report = await assess(0);
    const id = report.body.id as string;
    await binary(id);
    const moved = expectStatus(
      201,
      await review(report, { decision: 'reassign', subject: { patientId: 'MRN-2', woundId: 'W-9' } }),
    );
    const withdrawn = textOf(await read(id));
    expect(withdrawn).toContain('Entered in error');
    expect(withdrawn).toContain(moved.body.id);
    expect(textOf(await read(moved.body.id as string))).toContain('MRN-2');
    expect(textOf(await binary(id, 2))).toContain('Entered in error');
  });

  it('of a photo that is analysed again after its review are of both analyses, and one place', async () => {
    const report = await assess(0);
    const accepted = expectStatus(201, await review(report, { decision: 'accept' }));
    const job = await client.startJob({
      imageId: report.body.imageId,
      subject: { patientId: 'MRN-1', woundId: `W-${wound}` },
      capturedAt: new Date(FIRST).toISOString(),
      calibration: { mmPerPixel: 0.3 },
    });
    const ended = await client.waitForJob(job.id as string);
    const again = expectStatus(200, await client.request('GET', ended.links.report));
    expect([again.body.sequence, again.body.comparison.supersededBy]).toEqual([1, accepted.body.id]);
    const text = textOf(await read(again.body.id as string)).replaceAll(/\s+/g, ' ');
    expect(text).toMatch(/another analysis|superseded|stands in/i);
  });

  it('of photos a second apart are two, in their order', async () => {
    const second = 1 / (7 * 86_400);
    const [later, earlier] = [await assess(second), await assess(0)];
    const present = await Promise.all(
      [earlier, later].map(({ body }) => read(body.id as string, '', { accept: 'application/json' })),
    );
    expect(present.map(({ body }) => body.sequence)).toEqual([1, 2]);
    expect(present[1]!.body.comparison.sincePrevious.areaCm2PerWeek).toBeNull();
    expect((await read(later.body.id as string)).status).toBe(200);
  });

  it('whose photo the store lost are made without it, and with it once it is there again', async () => {
    const report = await assess(0);
    const files = await readdir(gateway.dataDir, { recursive: true });
    const original = join(
      gateway.dataDir,
      files.find((file) => file.includes(report.body.imageId as string) && file.endsWith('original'))!,
    );
    await rename(original, `${original}-lost`);
    const without = await read(report.body.id as string);
    expect([without.status, textOf(without).includes('not available')]).toEqual([200, true]);
    await rename(`${original}-lost`, original);
    const present = await read(report.body.id as string);
    expect(textOf(present)).not.toContain('not available');
    expect((await binary(report.body.id as string)).bytes.equals(present.bytes)).toBe(true);
  });
});
