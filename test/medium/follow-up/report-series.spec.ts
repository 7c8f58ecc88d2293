import { v7 } from 'uuid';
import type { ClinicalReport } from '../../../src/core/report/clinical-report.js';
import { OrganizationRepository } from '../../../src/core/organizations/organization.repository.js';
import { UnitOfWork } from '../../../src/core/ports/unit-of-work.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { DatabaseContext } from '../../support/database-context.js';
import { FollowUpContext, REVIEWER, weekDate, WOUND } from '../../support/follow-up-context.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';
import { drawFindings, drawResult, rectangle, squareOf } from '../../support/wound-results.js';

const FOUR_CM2 = [rectangle(20, 20, 120, 120)];

describe('reports of one wound', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let followUp: FollowUpContext;
  let tenant: Tenant;

  beforeAll(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url);
    followUp = new FollowUpContext(context);
  });
  afterAll(async () => {
    await context?.close();
    await database?.drop();
  });
  beforeEach(async () => {
    tenant = await context.createTenant();
  });

  const areasOf = async (woundRef: string) =>
    (await followUp.reader.timeline(tenant, woundRef, { from: null, to: null })).assessments.map(
      ({ report }) => report.content.findings.figures?.area.cm2?.value,
    );
  const woundOf = ({ content }: ClinicalReport) => content.subject.woundRef;

  it('shows no report to another tenant, and none of a job that is not completed', async () => {
    const report = await followUp.assess(tenant, 0, 9);
    const other = await context.createTenant();
    await expect(followUp.reader.read(other, report.id)).rejects.toMatchObject({ code: 'report.not_found' });
    await expect(followUp.reader.versions(other, report.id)).rejects.toMatchObject({ code: 'report.not_found' });
    await expect(followUp.reader.timeline(other, woundOf(report), { from: null, to: null })).rejects.toMatchObject({
      code: 'wound.not_found',
    });
    await expect(
      followUp.review({ ...tenant, environment: 'live' }, report, { decision: 'accept' }),
    ).rejects.toMatchObject({ code: 'report.not_found' });
    const waiting = await context.createJob(tenant);
    await expect(followUp.reader.read(tenant, waiting.reportId)).rejects.toMatchObject({ code: 'report.not_found' });
    await expect(followUp.reader.read(tenant, 'no-id')).rejects.toMatchObject({ code: 'report.not_found' });
  });

  it('has beside it who it is about as the patient’s row is now, and nothing of that inside', async () => {
    const report = await followUp.assess(tenant, 0, 9, { patientId: 'MRN-1', woundId: 'W1' });
    const reading = await followUp.reader.read(tenant, report.id);
    expect(reading.heading).toEqual({
      patientName: null,
      birthDate: null,
      patientNumber: 'MRN-1',
      facility: 'Clinic',
      orderer: null,
      timeZone: 'UTC',
    });
    expect(JSON.stringify(reading.report)).not.toContain('Clinic');
    await followUp.merge(tenant, {
      survivor: [{ system: '', value: 'MRN-2' }],
      prior: [{ system: '', value: 'MRN-1' }],
    });
    expect((await followUp.reader.read(tenant, report.id)).heading).toMatchObject({ patientNumber: 'MRN-2' });
    const period = { from: null, to: null };
    expect((await followUp.reader.course(tenant, woundOf(report), period)).heading).toMatchObject({
      patientNumber: 'MRN-2',
    });
  });

  it('makes one report however often the event comes, and from however many at once', async () => {
    const job = await followUp.completeJob(tenant, 0, 9, { patientId: 'MRN-1' });
    await Promise.all([1, 2, 3, 4].map(() => followUp.assembly.assemble(tenant, job.id)));
    await followUp.assembly.assemble(tenant, job.id);
    expect(await followUp.reader.versions(tenant, job.reportId)).toHaveLength(1);
    expect(await followUp.wounds.list(tenant, { patientId: 'MRN-1' }, 10, null)).toHaveLength(1);
    expect(await followUp.takeReportEvents(tenant)).toEqual([{ kind: 'report.ready', subjectId: job.reportId }]);
  });

  it('lets a completed job’s report be read before its event was handled', async () => {
    const job = await followUp.completeJob(tenant, 0, 9);
    expect(await followUp.read(tenant, job.reportId)).toMatchObject({
      id: job.reportId,
      version: 1,
      status: 'preliminary',
      jobId: job.id,
    });
  });

  it('keeps the same ward number on two patients apart, and joins several photos that arrive at once', async () => {
    const jobs = await Promise.all([0, 1, 2].map((week) => followUp.completeJob(tenant, week, 9 - week)));
    await Promise.all(jobs.map(({ id }) => followUp.assembly.assemble(tenant, id)));
    const other = await followUp.assess(tenant, 1, 2, { ...WOUND, patientId: 'MRN-4712' });
    const mine = await followUp.read(tenant, jobs[0]!.reportId);
    expect(woundOf(other)).not.toBe(woundOf(mine));
    expect(await areasOf(woundOf(mine))).toEqual([9, 8, 7]);
  });

  it('inserts a late photo at its capture time and gives a new version to the later reports, whose slope or pair changes', async () => {
    const [first, third, fourth] = [
      await followUp.assess(tenant, 0, 9),
      await followUp.assess(tenant, 2, 5),
      await followUp.assess(tenant, 3, 4),
    ];
    await followUp.takeReportEvents(tenant);
    const late = await followUp.assess(tenant, 1, 7);
    expect(late.content.comparison).toMatchObject({
      previous: { reportId: first.id },
      sincePrevious: { areaPct: -22.2 },
    });
    const after = await followUp.read(tenant, third.id);
    expect(after).toMatchObject({
      version: 2,
      status: 'preliminary',
      reason: 'recomputed',
      content: { comparison: { previous: { reportId: late.id }, sinceBaseline: { areaPct: -44.4 } } },
    });
    expect((await followUp.read(tenant, first.id)).version).toBe(1);
    expect(await followUp.read(tenant, fourth.id)).toMatchObject({
      version: 2,
      content: { comparison: { previous: { reportId: third.id }, slope: { assessments: 4 } } },
    });
    expect((await followUp.reader.read(tenant, fourth.id)).sequence).toBe(4);
    expect(await followUp.takeReportEvents(tenant)).toEqual([
      { kind: 'report.ready', subjectId: late.id },
      { kind: 'report.amended', subjectId: third.id },
      { kind: 'report.amended', subjectId: fourth.id },
    ]);
  });

  it('refuses a decision about a version that is no longer the present one', async () => {
    const report = await followUp.assess(tenant, 0, 9);
    await followUp.review(tenant, report, { decision: 'accept' });
    await expect(followUp.review(tenant, report, { decision: 'reject' })).rejects.toMatchObject({
      code: 'report.stale',
    });
  });

  it('lets one of two simultaneous decisions win', async () => {
    const report = await followUp.assess(tenant, 0, 9);
    const outcomes = await Promise.allSettled([
      followUp.review(tenant, report, { decision: 'accept' }),
      followUp.review(tenant, report, { decision: 'reject' }),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await followUp.reader.versions(tenant, report.id)).toHaveLength(2);
  });

  it('writes nothing when a correction does not fit', async () => {
    const report = await followUp.assess(tenant, 0, 9);
    await expect(
      followUp.review(tenant, report, { decision: 'correct', contour: [rectangle(0, 0, 9000, 9)] }),
    ).rejects.toMatchObject({ code: 'request.invalid' });
    expect(await followUp.read(tenant, report.id)).toMatchObject({ version: 1, status: 'preliminary' });
  });

  it('versions a correction, and the later reports whose figures it changes, each at its own rank', async () => {
    const weeks = [
      await followUp.assess(tenant, 0, 9),
      await followUp.assess(tenant, 1, 7),
      await followUp.assess(tenant, 2, 6),
      await followUp.assess(tenant, 3, 5),
      await followUp.assess(tenant, 4, 4.5),
    ];
    await followUp.review(tenant, weeks[3]!, { decision: 'accept' });
    await followUp.takeReportEvents(tenant);
    const corrected = await followUp.review(tenant, weeks[2]!, {
      decision: 'correct',
      contour: FOUR_CM2,
      note: 'Maceration was outlined.',
    });
    expect(corrected).toMatchObject({
      version: 2,
      status: 'final',
      reason: 'reviewed',
      content: {
        findings: { outlineSource: 'reviewer_contour', figures: { area: { cm2: { value: 4 } } } },
        comparison: { sincePrevious: { areaPct: -42.9 } },
        review: { decision: 'correct', reviewer: REVIEWER, note: 'Maceration was outlined.' },
      },
    });
    const next = await followUp.read(tenant, weeks[3]!.id);
    // It had been final: a recomputation makes it amended, and keeps who accepted it.
    expect(next).toMatchObject({
      version: 3,
      status: 'amended',
      reason: 'recomputed',
      content: {
        comparison: { previous: { areaCm2: { value: 4 } }, sincePrevious: { areaPct: 25 } },
        review: { decision: 'accept' },
      },
    });
    const last = await followUp.read(tenant, weeks[4]!.id);
    expect(last).toMatchObject({ version: 2, content: { comparison: { previous: { reportId: next.id } } } });
    const original = (await followUp.reader.versions(tenant, weeks[2]!.id))[0]!;
    expect(original.content.findings.figures!.area.cm2!.value).toBe(6);
    expect(await followUp.takeReportEvents(tenant)).toEqual([
      { kind: 'report.amended', subjectId: corrected.id },
      { kind: 'report.amended', subjectId: next.id },
      { kind: 'report.amended', subjectId: last.id },
    ]);
  });

  it('recomputes every later report when the first photo is corrected, since it is their baseline', async () => {
    const weeks = [
      await followUp.assess(tenant, 0, 9),
      await followUp.assess(tenant, 1, 7),
      await followUp.assess(tenant, 2, 6),
    ];
    await followUp.review(tenant, weeks[0]!, { decision: 'correct', contour: [rectangle(20, 20, 220, 220)] });
    const [second, third] = [await followUp.read(tenant, weeks[1]!.id), await followUp.read(tenant, weeks[2]!.id)];
    expect([second.version, third.version]).toEqual([2, 2]);
    expect(third.content.comparison).toMatchObject({
      sinceBaseline: { areaPct: -62.5 },
      sincePrevious: { areaPct: -14.3 },
    });
  });

  it('closes the series up behind a rejected report, which takes no further decision', async () => {
    const weeks = [
      await followUp.assess(tenant, 0, 9),
      await followUp.assess(tenant, 1, 20),
      await followUp.assess(tenant, 2, 6),
    ];
    const rejected = await followUp.review(tenant, weeks[1]!, { decision: 'reject', note: 'Wrong foot.' });
    expect(rejected).toMatchObject({ version: 2, status: 'entered-in-error' });
    expect((await followUp.read(tenant, weeks[2]!.id)).content.comparison.previous?.reportId).toBe(weeks[0]!.id);
    expect(await areasOf(woundOf(weeks[0]!))).toEqual([9, 6]);
    expect((await followUp.reader.read(tenant, weeks[1]!.id)).sequence).toBeNull();
    await expect(followUp.review(tenant, rejected, { decision: 'accept' })).rejects.toMatchObject({
      code: 'report.entered_in_error',
    });
  });

  it('refuses a reassignment to nobody, and then has changed nothing', async () => {
    const report = await followUp.assess(tenant, 0, 9);
    await expect(
      followUp.review(tenant, report, { decision: 'reassign', subject: { woundId: 'W9' } }),
    ).rejects.toMatchObject({ code: 'request.invalid' });
    expect(await followUp.read(tenant, report.id)).toMatchObject({ version: 1, status: 'preliminary' });
  });

  it('moves a photo to the right patient by a new report that takes the place of the old', async () => {
    const [first, wrong] = [await followUp.assess(tenant, 0, 9), await followUp.assess(tenant, 1, 3)];
    const theirs = await followUp.assess(tenant, 0, 4, { patientId: 'MRN-9', woundId: 'W1' });
    const moved = await followUp.review(tenant, wrong, {
      decision: 'reassign',
      subject: { patientId: 'MRN-9', woundId: 'W1' },
    });
    expect(moved).toMatchObject({
      version: 1,
      status: 'preliminary',
      replaces: wrong.id,
      jobId: wrong.jobId,
      content: { subject: { patient: { value: 'MRN-9' } }, comparison: { previous: { reportId: theirs.id } } },
    });
    expect(await followUp.read(tenant, wrong.id)).toMatchObject({ status: 'entered-in-error', replacedBy: moved.id });
    expect(await areasOf(woundOf(theirs))).toEqual([4, 3]);
    expect(await areasOf(woundOf(first))).toEqual([9]);
  });

  it('is final at once where the organization’s policy says so, and corrected by a correction', async () => {
    const organizations = context.get(OrganizationRepository);
    await context
      .get(UnitOfWork)
      .inSystem((transaction) =>
        organizations.update(transaction, tenant.organizationId, { resultPolicy: 'auto-final' }),
      );
    const report = await followUp.assess(tenant, 0, 9);
    expect(report.status).toBe('final');
    expect((await followUp.review(tenant, report, { decision: 'correct', contour: FOUR_CM2 })).status).toBe(
      'corrected',
    );
  });

  it('opens an unlinked wound where none is named, with the patient’s wounds of that site and side as candidates', async () => {
    const heel = { bodySite: { code: '84607009' }, laterality: 'left' as const };
    const known = await followUp.assess(tenant, 0, 9, { ...WOUND, ...heel });
    await followUp.assess(tenant, 0, 2, { patientId: WOUND.patientId, woundId: 'W2', ...heel, laterality: 'right' });
    await followUp.assess(tenant, 0, 2, { patientId: 'MRN-9', woundId: 'W1', ...heel });
    const loose = await followUp.assess(tenant, 1, 7, { patientId: WOUND.patientId, ...heel });
    const { wound, candidates } = await followUp.wounds.get(tenant, woundOf(loose));
    expect(wound).toMatchObject({ woundId: null, patient: { value: WOUND.patientId } });
    expect(candidates.map(({ id }) => id)).toEqual([woundOf(known)]);
    expect(loose.content.comparison.previous).toBeNull();
  });

  it('merges two wounds by a person’s word into one series, and takes them apart again', async () => {
    const [first, loose, last] = [
      await followUp.assess(tenant, 0, 9),
      await followUp.assess(tenant, 1, 7, { patientId: WOUND.patientId }),
      await followUp.assess(tenant, 2, 6),
    ];
    const by = { reviewer: REVIEWER, note: null };
    const merge = (from: string, into: string) =>
      followUp.within(tenant, (transaction) => followUp.wounds.merge(transaction, from, into, by));
    const other = await followUp.assess(tenant, 0, 2, { patientId: 'MRN-9' });
    await expect(merge(woundOf(other), woundOf(first))).rejects.toMatchObject({ code: 'wound.merge_refused' });
    await expect(merge(woundOf(first), woundOf(first))).rejects.toMatchObject({ code: 'wound.merge_refused' });
    await expect(merge(v7(), woundOf(first))).rejects.toMatchObject({ code: 'wound.not_found' });

    const merged = await merge(woundOf(loose), woundOf(first));
    expect(merged).toMatchObject({
      wound: { mergedInto: woundOf(first) },
      candidates: [],
      events: [{ decision: 'merged', reviewer: REVIEWER }],
    });
    expect(await areasOf(woundOf(loose))).toEqual([9, 7, 6]);
    expect(await followUp.read(tenant, loose.id)).toMatchObject({
      version: 2,
      content: {
        subject: { woundRef: woundOf(first), woundId: 'W1' },
        comparison: { previous: { reportId: first.id } },
      },
    });
    expect((await followUp.read(tenant, last.id)).content.comparison.previous?.reportId).toBe(loose.id);
    expect((await merge(woundOf(loose), woundOf(first))).events).toHaveLength(1);
    await expect(merge(woundOf(first), woundOf(loose))).rejects.toMatchObject({ code: 'wound.merge_refused' });

    await followUp.within(tenant, (transaction) => followUp.wounds.unmerge(transaction, woundOf(loose), by));
    expect(await areasOf(woundOf(first))).toEqual([9, 6]);
    expect((await followUp.read(tenant, loose.id)).content).toEqual(loose.content);
    await expect(
      followUp.within(tenant, (transaction) => followUp.wounds.unmerge(transaction, woundOf(loose), by)),
    ).rejects.toMatchObject({ code: 'wound.not_merged' });
  });

  it('closes and reopens a wound by a person’s word alone: a later photo is filed and leaves it closed', async () => {
    const report = await followUp.assess(tenant, 0, 9);
    const by = { reviewer: REVIEWER, note: 'Epithelialised.' };
    await followUp.within(tenant, (transaction) => followUp.wounds.close(transaction, woundOf(report), by));
    await followUp.assess(tenant, 1, 0.2);
    const closed = await followUp.wounds.get(tenant, woundOf(report));
    expect(closed.wound).toMatchObject({ status: 'closed', closedAt: expect.any(Date) });
    expect(await areasOf(woundOf(report))).toEqual([9, 0.2]);
    await followUp.within(tenant, (transaction) => followUp.wounds.reopen(transaction, woundOf(report), by));
    const { wound, events } = await followUp.wounds.get(tenant, woundOf(report));
    expect(wound).toMatchObject({ status: 'open', closedAt: null });
    expect(events.map(({ decision }) => decision)).toEqual(['closed', 'reopened']);
  });

  it('shows the part of a timeline between two moments, with the sequence of the whole', async () => {
    const [first] = [
      await followUp.assess(tenant, 0, 9),
      await followUp.assess(tenant, 1, 7),
      await followUp.assess(tenant, 2, 6),
    ];
    const { assessments } = await followUp.reader.timeline(tenant, woundOf(first), {
      from: weekDate(1),
      to: weekDate(1),
    });
    expect(assessments.map(({ sequence, report }) => [sequence, report.content.capturedAt])).toEqual([
      [2, weekDate(1).toISOString()],
    ]);
  });

  it('has two photos of the same second in one series, in an order that stays', async () => {
    const [first, second] = [await followUp.assess(tenant, 0, 9), await followUp.assess(tenant, 0, 7)];
    const next = await followUp.assess(tenant, 1, 6);
    expect(await areasOf(woundOf(first))).toEqual([9, 7, 6]);
    expect((await followUp.reader.read(tenant, second.id)).sequence).toBe(2);
    expect(second.content.comparison).toMatchObject({
      previous: { reportId: first.id },
      sincePrevious: { days: 0, areaCm2PerWeek: null },
    });
    expect(next.content.comparison).toMatchObject({
      previous: { reportId: second.id },
      baseline: { reportId: first.id },
    });
    expect((await followUp.read(tenant, first.id)).version).toBe(1);
  });

  it('steps over a photo without a scale in the middle, by its reason', async () => {
    const [first, bare, last] = [
      await followUp.assess(tenant, 0, 9),
      await followUp.assess(tenant, 1, 7, WOUND, { mmPerPixel: null }),
      await followUp.assess(tenant, 2, 6),
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
    const { sequence, trend } = await followUp.reader.read(tenant, last.id);
    expect([sequence, trend.map(({ reportId }) => reportId)]).toEqual([3, [first.id, last.id]]);
  });

  it('gives every version back key by key as it was written, so that it is served as the same bytes', async () => {
    const first = await followUp.assess(tenant, 0, 9);
    const second = await followUp.assess(tenant, 1, 7, { ...WOUND, bodySite: { code: '84607009', display: 'Heel' } });
    const corrected = await followUp.review(tenant, second, {
      decision: 'correct',
      contour: FOUR_CM2,
      tissue: { granulation: 0.7, slough: 0.3, necrosis: 0, other: 0 },
    });
    const kept = await followUp.reader.versions(tenant, second.id);
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
    const { assessments } = await followUp.reader.timeline(tenant, woundOf(first), { from: null, to: null });
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
    const first = await followUp.assess(tenant, 0, 9);
    const job = await context.createJob(tenant, {
      subject: WOUND,
      patientId: (await followUp.wounds.get(tenant, woundOf(first))).wound.patientId,
      capturedAt: weekDate(1),
    });
    expect((await followUp.summariser.summarise(job, drawResult(squareOf(4)))).followUp).toMatchObject({
      previousJobId: first.jobId,
      daysSincePrevious: 7,
      areaChangePct: -55.6,
      beyondDetectable: true,
      warnings: [],
    });
    const nothing = { followUp: null, attention: [] };
    expect(
      await followUp.summariser.summarise({ ...job, subject: { patientId: WOUND.patientId } }, drawResult(squareOf(4))),
    ).toEqual(nothing);
    expect(await followUp.summariser.summarise(job, drawResult({ boxes: [] }))).toEqual(nothing);
  });

  it('closes a wound no later than now and no earlier than the decision before, and begins anew after it', async () => {
    const first = await followUp.assess(tenant, 0, 4);
    const after = await followUp.assess(tenant, 4, 1);
    const wound = woundOf(first);
    const decide = (decision: 'close' | 'reopen', decidedAt: Date) =>
      followUp.within(tenant, (transaction) =>
        followUp.wounds[decision](transaction, wound, { reviewer: REVIEWER, note: null, decidedAt }),
      );
    await expect(decide('close', new Date(Date.now() + 3_600_000))).rejects.toMatchObject({
      code: 'capture.future',
      facts: { errors: [{ pointer: '/decidedAt' }] },
    });
    expect((await decide('close', weekDate(2))).wound.closedAt).toEqual(weekDate(2));
    await expect(decide('reopen', weekDate(1))).rejects.toMatchObject({
      code: 'request.invalid',
      facts: { errors: [{ pointer: '/decidedAt' }] },
    });
    await decide('reopen', weekDate(3));
    const closure = { closedAt: weekDate(2).toISOString(), reopenedAt: weekDate(3).toISOString() };
    expect(await followUp.read(tenant, first.id)).toMatchObject({
      version: 1,
      content: { comparison: { closure: null } },
    });
    expect((await followUp.read(tenant, after.id)).content).toMatchObject({
      comparison: { closure, previousAssessment: { reportId: first.id }, previous: null },
      flags: [{ code: 'reopened', value: 14 }],
    });
  });
});
