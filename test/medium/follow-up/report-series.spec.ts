import { JobRepository } from '../../../src/core/analysis/job.repository.js';
import { weekDate, WOUND } from '../../support/follow-up-context.js';
import { drawFindings, drawResult, rectangle, squareOf } from '../../support/wound-results.js';
import { FollowUpGround, NO_PERIOD, woundOf } from './follow-up-ground.js';

const FOUR_CM2 = [rectangle(20, 20, 120, 120)];

describe('reports of one wound', () => {
  const ground = FollowUpGround.forSpecs();

  it('shows no report to another tenant, and none of a job that is not completed', async () => {
    const report = await ground.assess(0, 9);
    const other = await ground.context.createTenant();
    await expect(ground.followUp.reader.read(other, report.id)).rejects.toMatchObject({ code: 'report.not_found' });
    await expect(ground.followUp.reader.versions(other, report.id)).rejects.toMatchObject({ code: 'report.not_found' });
    await expect(ground.followUp.reader.timeline(other, woundOf(report), NO_PERIOD)).rejects.toMatchObject({
      code: 'wound.not_found',
    });
    await expect(
      ground.followUp.review({ ...ground.tenant, environment: 'live' }, report, { decision: 'accept' }),
    ).rejects.toMatchObject({ code: 'report.not_found' });
    const waiting = await ground.context.createJob(ground.tenant);
    await expect(ground.followUp.reader.read(ground.tenant, waiting.reportId)).rejects.toMatchObject({
      code: 'report.not_found',
    });
    await expect(ground.followUp.reader.read(ground.tenant, 'no-id')).rejects.toMatchObject({
      code: 'report.not_found',
    });
  });

  it('has beside it who it is about as the patient’s row is now, and nothing of that inside', async () => {
    const report = await ground.assess(0, 9, { patientId: 'MRN-1', woundId: 'W1' });
    const reading = await ground.followUp.reader.read(ground.tenant, report.id);
    expect(reading.heading).toEqual({
      patientName: null,
      birthDate: null,
      patientNumber: 'MRN-1',
      facility: 'Clinic',
      orderer: null,
      timeZone: 'UTC',
    });
    expect(JSON.stringify(reading.report)).not.toContain('Clinic');
    await ground.followUp.merge(ground.tenant, {
      survivor: [{ system: '', value: 'MRN-2' }],
      prior: [{ system: '', value: 'MRN-1' }],
    });
    expect((await ground.followUp.reader.read(ground.tenant, report.id)).heading).toMatchObject({
      patientNumber: 'MRN-2',
    });
    expect((await ground.followUp.reader.course(ground.tenant, woundOf(report), NO_PERIOD)).heading).toMatchObject({
      patientNumber: 'MRN-2',
    });
  });

  it('has one line for a photo in the course, of the analysis that stands', async () => {
    const first = await ground.followUp.assess(ground.tenant, 0, 9);
    const [wound] = (await ground.followUp.wounds.list(ground.tenant, {}, 1, null)).items;
    const capturedAt = weekDate(0);
    const again = { subject: WOUND, patientId: wound!.patientId, imageId: first.imageId, capturedAt };
    const job = await ground.context.createJob(ground.tenant, again);
    const jobs = ground.context.get(JobRepository);
    await jobs.complete((await jobs.claim(60, job.id))!.lease, drawResult(squareOf(8)));
    await ground.followUp.assembly.assemble(ground.tenant, job.id);
    const { reports } = await ground.followUp.reader.course(ground.tenant, woundOf(first), NO_PERIOD);
    expect(reports.map(({ id }) => id)).toEqual([job.reportId]);
  });

  it('makes one report however often the event comes, and from however many at once', async () => {
    const job = await ground.followUp.completeJob(ground.tenant, 0, 9, { patientId: 'MRN-1' });
    await Promise.all([1, 2, 3, 4].map(() => ground.followUp.assembly.assemble(ground.tenant, job.id)));
    await ground.followUp.assembly.assemble(ground.tenant, job.id);
    expect(await ground.followUp.reader.versions(ground.tenant, job.reportId)).toHaveLength(1);
    expect((await ground.followUp.wounds.list(ground.tenant, { patientId: 'MRN-1' }, 10, null)).items).toHaveLength(1);
    expect(await ground.takeReportEvents()).toEqual([{ kind: 'report.ready', subjectId: job.reportId }]);
  });

  it('lets a completed job’s report be read before its event was handled', async () => {
    const job = await ground.followUp.completeJob(ground.tenant, 0, 9);
    expect(await ground.read(job.reportId)).toMatchObject({
      id: job.reportId,
      version: 1,
      status: 'preliminary',
      jobId: job.id,
    });
  });

  it('keeps the same ward number on two patients apart, and joins several photos that arrive at once', async () => {
    const jobs = await Promise.all([0, 1, 2].map((week) => ground.followUp.completeJob(ground.tenant, week, 9 - week)));
    await Promise.all(jobs.map(({ id }) => ground.followUp.assembly.assemble(ground.tenant, id)));
    const other = await ground.assess(1, 2, { ...WOUND, patientId: 'MRN-4712' });
    const mine = await ground.read(jobs[0]!.reportId);
    expect(woundOf(other)).not.toBe(woundOf(mine));
    expect(await ground.areasOf(woundOf(mine))).toEqual([9, 8, 7]);
  });

  it('inserts a late photo at its capture time and gives a new version to the later reports, whose slope or pair changes', async () => {
    const [first, third, fourth] = [await ground.assess(0, 9), await ground.assess(2, 5), await ground.assess(3, 4)];
    await ground.takeReportEvents();
    const late = await ground.assess(1, 7);
    expect(late.content.comparison).toMatchObject({
      previous: { reportId: first.id },
      sincePrevious: { areaPct: -22.2 },
    });
    const after = await ground.read(third.id);
    expect(after).toMatchObject({
      version: 2,
      status: 'preliminary',
      reason: 'recomputed',
      content: { comparison: { previous: { reportId: late.id }, sinceBaseline: { areaPct: -44.4 } } },
    });
    expect((await ground.read(first.id)).version).toBe(1);
    expect(await ground.read(fourth.id)).toMatchObject({
      version: 2,
      content: { comparison: { previous: { reportId: third.id }, slope: { assessments: 4 } } },
    });
    expect((await ground.followUp.reader.read(ground.tenant, fourth.id)).sequence).toBe(4);
    expect(await ground.takeReportEvents()).toEqual([
      { kind: 'report.ready', subjectId: late.id },
      { kind: 'report.amended', subjectId: third.id },
      { kind: 'report.amended', subjectId: fourth.id },
    ]);
  });

  it('shows the part of a timeline between two moments, with the sequence of the whole', async () => {
    const [first] = [await ground.assess(0, 9), await ground.assess(1, 7), await ground.assess(2, 6)];
    const { assessments } = await ground.followUp.reader.timeline(ground.tenant, woundOf(first), {
      from: weekDate(1),
      to: weekDate(1),
    });
    expect(assessments.map(({ sequence, report }) => [sequence, report.content.capturedAt])).toEqual([
      [2, weekDate(1).toISOString()],
    ]);
  });

  it('has two photos of the same second in one series, in an order that stays', async () => {
    const [first, second] = [await ground.assess(0, 9), await ground.assess(0, 7)];
    const next = await ground.assess(1, 6);
    expect(await ground.areasOf(woundOf(first))).toEqual([9, 7, 6]);
    expect((await ground.followUp.reader.read(ground.tenant, second.id)).sequence).toBe(2);
    expect(second.content.comparison).toMatchObject({
      previous: { reportId: first.id },
      sincePrevious: { days: 0, areaCm2PerWeek: null },
    });
    expect(next.content.comparison).toMatchObject({
      previous: { reportId: second.id },
      baseline: { reportId: first.id },
    });
    expect((await ground.read(first.id)).version).toBe(1);
  });

  it('steps over a photo without a scale in the middle, by its reason', async () => {
    const [first, bare, last] = [
      await ground.assess(0, 9),
      await ground.assess(1, 7, WOUND, { mmPerPixel: null }),
      await ground.assess(2, 6),
    ];
    expect(bare.content.comparison).toMatchObject({
      noTrendReason: 'no_scale',
      previous: { reportId: first.id },
      sincePrevious: null,
      trend: null,
    });
    expect(last.content.comparison).toMatchObject({
      previous: { reportId: first.id },
      sincePrevious: { days: 14, areaPct: -33.3 },
    });
    const { sequence, trend } = await ground.followUp.reader.read(ground.tenant, last.id);
    expect([sequence, trend.map(({ reportId }) => reportId)]).toEqual([3, [first.id, last.id]]);
  });

  it('gives every version back key by key as it was written, so that it is served as the same bytes', async () => {
    const first = await ground.assess(0, 9);
    const second = await ground.assess(1, 7, { ...WOUND, bodySite: { code: '84607009', display: 'Heel' } });
    const corrected = await ground.review(second, {
      decision: 'correct',
      contour: FOUR_CM2,
      tissue: { granulation: 0.7, slough: 0.3, necrosis: 0, other: 0 },
    });
    const kept = await ground.followUp.reader.versions(ground.tenant, second.id);
    expect(kept.map(({ content }) => JSON.stringify(content))).toEqual(
      [second, corrected].map(({ content }) => JSON.stringify(content)),
    );
    expect(Object.keys(first.content)).toEqual([
      'subject',
      'stated',
      'capturedAt',
      'clinicalContext',
      'clinicianObservations',
      'findings',
      'comparison',
      'flags',
      'review',
      'models',
    ]);
    expect(Object.keys(first.content.findings)).toEqual(Object.keys(drawFindings()));
    const { assessments } = await ground.followUp.reader.timeline(ground.tenant, woundOf(first), NO_PERIOD);
    for (const [{ report }, whole] of [
      [assessments[0]!, first],
      [assessments[1]!, corrected],
    ] as const) {
      const { reviewed, ...content } = report.content;
      expect(whole).toMatchObject({ ...report, content });
      expect(reviewed).toBe(whole === corrected);
      expect(JSON.stringify(report)).not.toContain('coordinates');
    }
  });

  it('compares a result with the series as it stands when its job completes', async () => {
    const first = await ground.assess(0, 9);
    const job = await ground.context.createJob(ground.tenant, {
      subject: WOUND,
      patientId: (await ground.followUp.wounds.get(ground.tenant, woundOf(first))).wound.patientId,
      capturedAt: weekDate(1),
    });
    expect((await ground.followUp.summariser.summarise(job, drawResult(squareOf(4)))).followUp).toMatchObject({
      previousJobId: first.jobId,
      daysSincePrevious: 7,
      areaChangePct: -55.6,
      beyondDetectable: true,
      warnings: [],
    });
    const nothing = { followUp: null, attention: [] };
    expect(
      await ground.followUp.summariser.summarise(
        { ...job, subject: { patientId: WOUND.patientId } },
        drawResult(squareOf(4)),
      ),
    ).toEqual(nothing);
    expect(await ground.followUp.summariser.summarise(job, drawResult({ boxes: [] }))).toEqual(nothing);
  });
});
