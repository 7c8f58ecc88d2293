import { expectStatus, type ApiClient, type Answer } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { contourOf, drawWoundSeries, type SeriesPhoto } from '../../support/wound-series.js';

type Body = Answer['body'];

const DIABETIC_FOOT = { system: 'http://snomed.info/sct', code: '280137006' };
const SUBJECT = { patientId: 'MRN-4711', woundId: 'lower-leg-left', woundType: DIABETIC_FOOT };
const REVIEWER = { id: 'n-17', name: 'Nora Field' };
/** A correction that makes the wound of week 3 a tenth smaller in each direction. */
const SMALLER = 0.9;
/** The fifth photo is found on the camera later and sent last. */
const SENT = [1, 2, 3, 4, 6, 7, 8, 5];
const ALL_WEEKS = [1, 2, 3, 4, 5, 6, 7, 8];

describe('eight weeks of one wound', () => {
  let gateway: SharedGateway;
  let client: ApiClient;
  let photos: readonly SeriesPhoto[];
  /** By week. */
  const jobs = new Map<number, Body>();
  let woundId: string;

  const reportPath = (week: number) => `/api/v1/reports/${(jobs.get(week).links.report as string).split('/').at(-1)!}`;
  const readReport = async (week: number) => expectStatus(200, await client.request('GET', reportPath(week)));
  const readVersions = async (week: number): Promise<Body[]> =>
    expectStatus(200, await client.request('GET', `${reportPath(week)}/versions`)).body.items;
  const readDocument = async (path: string, accept: string) =>
    expectStatus(200, await client.request('GET', path, { headers: { accept } }));
  const review = (week: number, json: unknown, etag?: string) =>
    client.request('POST', `${reportPath(week)}/reviews`, {
      json,
      headers: etag === undefined ? {} : { 'if-match': etag },
    });
  const timeline = async (): Promise<Body[]> =>
    expectStatus(200, await client.request('GET', `/api/v1/wounds/${woundId}/timeline`)).body.assessments;
  const versionsByWeek = async (): Promise<number[]> => {
    const reports = [];
    for (const week of ALL_WEEKS) reports.push((await readReport(week)).body.version as number);
    return reports;
  };

  const send = async (photo: SeriesPhoto): Promise<void> => {
    const job = await client.analyse(photo.jpeg, { subject: SUBJECT, capturedAt: photo.capturedAt });
    expect(job).toMatchObject({
      status: 'completed',
      links: { report: expect.stringMatching(/\/api\/v1\/reports\/[0-9a-f-]{36}$/) },
    });
    jobs.set(photo.week, job);
    expect((await readReport(photo.week)).body).toMatchObject({ status: 'preliminary', jobId: job.id });
  };

  beforeAll(async () => {
    [gateway, photos] = await Promise.all([sharedGateway(), drawWoundSeries(new Date('2025-03-03T09:30:00Z'))]);
    client = await gateway.createClient();
    for (const week of SENT) await send(photos[week - 1]!);
    woundId = (await readReport(1)).body.subject.woundRef;
  }, 180_000);

  it('come out in the order of their photos, with areas within 3 % of the drawn truth', async () => {
    const assessments = await timeline();
    expect(assessments.map(({ capturedAt }) => new Date(capturedAt).toISOString())).toEqual(
      photos.map(({ capturedAt }) => capturedAt),
    );
    expect(assessments.map(({ sequence }) => sequence)).toEqual(ALL_WEEKS);
    assessments.forEach(({ areaCm2, scaleSource, noTrendReason }, index) => {
      expect({ scaleSource, noTrendReason }).toEqual({ scaleSource: 'marker', noTrendReason: null });
      const error = areaCm2.value / photos[index]!.areaCm2 - 1;
      expect({ week: index + 1, error: Math.abs(error) < 0.03 ? 'within 3 %' : error }).toEqual({
        week: index + 1,
        error: 'within 3 %',
      });
    });
  });

  it('say what changed since the last and the first photo', async () => {
    const assessments = await timeline();
    expect([assessments[0]!.sincePrevious, assessments[0]!.sinceBaseline, assessments[0]!.trend]).toEqual([
      null,
      null,
      null,
    ]);
    const areas = assessments.map(({ areaCm2 }) => areaCm2.value as number);
    for (const week of [2, 5, 8]) {
      const { sincePrevious, sinceBaseline } = assessments[week - 1]!;
      expect([sincePrevious.days, sinceBaseline.days]).toEqual([7, 7 * (week - 1)]);
      expect(sincePrevious.areaPct).toBeCloseTo(100 * (areas[week - 1]! / areas[week - 2]! - 1), 1);
      expect(sinceBaseline.areaPct).toBeCloseTo(100 * (areas[week - 1]! / areas[0]! - 1), 1);
      expect(sincePrevious.marginAdvanceMmPerDay).toBeGreaterThan(0);
    }
    // 7.1 of 12.4 cm² are left after four weeks.
    expect(assessments[4]!.flags.map(({ code }: Body) => code)).toEqual(['area_reduction_below_50_at_4_weeks']);
  });

  it('give the photos after a late one a new version of their reports, and those before none', async () => {
    await eventually('the report of week 6 is made anew', async () => (await readReport(6)).body.version === 2);
    expect(await versionsByWeek()).toEqual([1, 1, 1, 1, 1, 2, 2, 2]);
    const [first, second] = await readVersions(6);
    expect(first).toMatchObject({
      version: 1,
      reason: 'created',
      comparison: { previous: { jobId: jobs.get(4).id }, sincePrevious: { days: 14 } },
    });
    expect(second).toMatchObject({
      version: 2,
      reason: 'recomputed',
      status: 'preliminary',
      comparison: { previous: { jobId: jobs.get(5).id }, sincePrevious: { days: 7 } },
    });
    expect(second!.comparison.sinceBaseline).toEqual(first!.comparison.sinceBaseline);
  });

  it('take no decision from someone who has not seen the present report', async () => {
    const { headers, body } = await readReport(3);
    const unseen = await review(3, { decision: 'accept', reviewer: REVIEWER });
    expect([unseen.status, unseen.body.code]).toEqual([428, 'request.precondition_required']);
    const stale = await review(3, { decision: 'accept', reviewer: REVIEWER }, '"of-another-time"');
    expect([stale.status, stale.body.code]).toEqual([412, 'report.stale']);
    expect((await readReport(3)).headers.get('etag')).toBe(headers.get('etag'));
    expect(body.status).toBe('preliminary');
  });

  describe('with the outline of week 3 corrected by a clinician', () => {
    const correctedCm2 = () => photos[2]!.areaCm2 * SMALLER ** 2;
    let before: readonly Body[];
    let etag: string;
    let corrected: Answer;

    beforeAll(async () => {
      before = await timeline();
      etag = (await readReport(3)).headers.get('etag')!;
      corrected = await review(
        3,
        {
          decision: 'correct',
          contour: contourOf(photos[2]!, SMALLER),
          note: 'The left border is closed skin.',
          reviewer: REVIEWER,
        },
        etag,
      );
    });

    it('have a final second version of that report, measured from the new contour', async () => {
      expectStatus(201, corrected);
      expect(corrected.body).toMatchObject({
        version: 2,
        status: 'final',
        reason: 'reviewed',
        review: { decision: 'correct', reviewer: REVIEWER },
      });
      expect(corrected.body.findings).toMatchObject({ outlineSource: 'reviewer_contour', confidence: null });
      const area = corrected.body.findings.figures.area.cm2.value as number;
      expect(Math.abs(area / correctedCm2() - 1)).toBeLessThan(0.015);
      expect(corrected.headers.get('etag')).not.toBe(etag);
      const { heading, ...report } = (await readReport(3)).body;
      expect(report).toEqual(corrected.body);
      expect(heading).toMatchObject({ patientNumber: 'MRN-4711' });
    });

    it('leave the job’s own result as the model said it', async () => {
      const job = expectStatus(200, await client.readJob(jobs.get(3).id)).body;
      expect(job.result.wounds).toEqual(jobs.get(3).result.wounds);
    });

    it('keep the first version of the report as it was', async () => {
      const [first] = await readVersions(3);
      expect(first).toMatchObject({
        version: 1,
        status: 'preliminary',
        review: null,
        findings: { outlineSource: 'model' },
      });
      const { heading: _heading, ...version } = expectStatus(
        200,
        await client.request('GET', `${reportPath(3)}/versions/1`),
      ).body;
      expect(version).toEqual(first);
    });

    it('change what week 4 is compared with, in a new version that nobody has confirmed', async () => {
      await eventually('the report of week 4 is made anew', async () => (await readReport(4)).body.version === 2);
      const { body } = await readReport(4);
      expect(body).toMatchObject({
        reason: 'recomputed',
        status: 'preliminary',
        review: null,
        comparison: { previous: { jobId: jobs.get(3).id } },
      });
      const corrected3 = corrected.body.findings.figures.area.cm2.value as number;
      expect(body.comparison.previous.areaCm2.value).toBe(corrected3);
      const own = body.findings.figures.area.cm2.value as number;
      expect(body.comparison.sincePrevious.areaPct).toBeCloseTo(100 * (own / corrected3 - 1), 1);
      expect(body.comparison.sinceBaseline).toEqual(before[3]!.sinceBaseline);
    });

    it('change the slope of every week after it, and nothing before', async () => {
      await eventually('the report of week 8 is made anew', async () => (await readReport(8)).body.version === 3);
      expect(await versionsByWeek()).toEqual([1, 1, 2, 2, 2, 3, 3, 3]);
      const now = await timeline();
      for (const week of [1, 2]) expect(now[week - 1]).toEqual(before[week - 1]);
      for (const week of [5, 6, 7, 8]) expect(now[week - 1]!.sincePrevious).toEqual(before[week - 1]!.sincePrevious);
    });

    it('refuse a second decision on the report as it was before', async () => {
      const stale = await review(3, { decision: 'accept', reviewer: REVIEWER }, etag);
      expect([stale.status, stale.body.code]).toEqual([412, 'report.stale']);
    });
  });

  it('say the same on paper, on screen and to machines', async () => {
    const { body } = await readReport(8);
    const area = (body.findings.figures.area.cm2.value as number).toFixed(2);
    const html = await readDocument(`${reportPath(8)}?lang=en`, 'text/html');
    expect(html.headers.get('content-type')).toMatch(/^text\/html/);
    expect(html.bytes.toString('utf8')).toContain(`${area}\u00a0cm²`);
    const text = await readDocument(`${reportPath(8)}?lang=en`, 'text/plain');
    expect(text.bytes.toString('utf8').replaceAll('\u00a0', ' ')).toContain(`${area} cm²`);
    const pdf = await readDocument(reportPath(8), 'application/pdf');
    expect(pdf.headers.get('content-type')).toBe('application/pdf');
    expect(pdf.bytes.subarray(0, 5).toString('latin1')).toBe('%PDF-');
    const course = await readDocument(`/api/v1/wounds/${woundId}/report`, 'application/pdf');
    expect(course.bytes.subarray(0, 5).toString('latin1')).toBe('%PDF-');
  });

  it('no longer hold a photo that a clinician rejects', async () => {
    const { headers } = await readReport(6);
    const rejected = expectStatus(
      201,
      await review(
        6,
        { decision: 'reject', note: 'Not this patient’s leg.', reviewer: REVIEWER },
        headers.get('etag')!,
      ),
    );
    expect(rejected.body).toMatchObject({ version: 4, status: 'entered-in-error', sequence: null });
    const left = [1, 2, 3, 4, 5, 7, 8];
    await eventually('the photo has left the series', async () => (await timeline()).length === left.length);
    const assessments = await timeline();
    expect(assessments.map(({ jobId }) => jobId)).toEqual(left.map((week) => jobs.get(week).id));
    expect(assessments.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    await eventually('the report of week 7 is made anew', async () => (await readReport(7)).body.version === 4);
    expect((await readReport(7)).body).toMatchObject({
      status: 'preliminary',
      comparison: { previous: { jobId: jobs.get(5).id }, sincePrevious: { days: 14 } },
    });
    expect(await versionsByWeek()).toEqual([1, 1, 2, 2, 2, 4, 4, 4]);
  });
});
