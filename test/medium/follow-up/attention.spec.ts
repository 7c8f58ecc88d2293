import type { JobSubject } from '../../../src/core/analysis/analysis-job.js';
import type { ClinicalReport } from '../../../src/core/report/clinical-report.js';
import { OrganizationRepository } from '../../../src/core/organizations/organization.repository.js';
import { UnitOfWork } from '../../../src/core/ports/unit-of-work.js';
import { statementsOf } from '../../../src/platform/database/unit-of-work.js';
import { woundListQuery } from '../../../src/records/reports/wound-row.js';
import { queryDatabase } from '../../support/database-query.js';
import { WOUND } from '../../support/follow-up-context.js';
import { drawResult, squareOf } from '../../support/wound-results.js';
import { FollowUpGround, NO_PERIOD, woundOf } from './follow-up-ground.js';

const SNOMED = 'http://snomed.info/sct';
const HEEL = { system: SNOMED, code: '84607009', display: 'Heel' };
const FOOT = { system: SNOMED, code: '56459004', display: 'Foot' };

const ground = FollowUpGround.forSpecs();

const at = (week: number, areaCm2: number, subject: Partial<JobSubject> = {}) =>
  ground.assess(week, areaCm2, { ...WOUND, ...subject });
const reasonsOf = async (report: ClinicalReport) => (await ground.read(report.id)).content.comparison.attention;
const listed = async (attention?: boolean) =>
  (await ground.followUp.wounds.list(ground.tenant, { attention }, 10, null)).items.map(({ id, waiting }) => [
    id,
    waiting.map(({ reportId, reasons }) => [reportId, reasons]),
  ]);

describe('a result waits for a person', () => {
  it('where its side is not the wound’s, and stands neither in the series nor as the wound’s side', async () => {
    const left = await at(0, 9, { laterality: 'left' });
    const right = await at(1, 8, { laterality: 'right' });
    expect(right.content.comparison).toMatchObject({
      attention: ['site_mismatch'],
      noTrendReason: 'awaiting_confirmation',
      trend: null,
      sincePrevious: null,
    });
    expect(await listed(true)).toEqual([[woundOf(left), [[right.id, ['site_mismatch']]]]]);
    expect((await ground.followUp.wounds.get(ground.tenant, woundOf(left))).wound).toMatchObject({
      laterality: 'left',
      waiting: [{ reportId: right.id, reasons: ['site_mismatch'] }],
    });
    const next = await at(2, 7, { laterality: 'left' });
    expect(next.content.comparison).toMatchObject({ attention: [], previous: { reportId: left.id } });
  });

  it('where its site has another code of the same system, and not where only the words or the system differ', async () => {
    await at(0, 9, { bodySite: HEEL });
    expect((await at(1, 8, { bodySite: FOOT })).content.comparison.attention).toEqual(['site_mismatch']);
    expect((await at(2, 8, { bodySite: { display: 'Fersenbein' } })).content.comparison.attention).toEqual([]);
    expect(
      (await at(3, 8, { bodySite: { system: 'urn:oid:1.2.3', code: 'FERSE' } })).content.comparison.attention,
    ).toEqual([]);
    expect(
      (await at(4, 8, { bodySite: { ...HEEL, display: 'Calcaneal region' } })).content.comparison.attention,
    ).toEqual([]);
  });

  it('and not where only one photo states a site', async () => {
    await at(0, 9);
    expect((await at(1, 8, { bodySite: HEEL, laterality: 'left' })).content.comparison.attention).toEqual([]);
    expect((await at(2, 8)).content.comparison.attention).toEqual([]);
    expect(await listed(true)).toEqual([]);
  });

  it('where its area jumps, and where no leg has such an area; each with its reasons', async () => {
    await at(0, 9, { laterality: 'left' });
    const jumped = await ground.assess(1, 9, { ...WOUND, laterality: 'right' }, squareOf(40));
    expect(jumped.content.comparison.attention).toEqual(['site_mismatch', 'area_jump']);
    const huge = await ground.assess(0, 9, { patientId: 'MRN-2' }, { boxes: [[10, 10, 430, 430]], mmPerPixel: 1 });
    expect(huge.content.comparison.attention).toEqual(['area_implausible']);
    expect(await listed(true)).toEqual([
      [woundOf(huge), [[huge.id, ['area_implausible']]]],
      [woundOf(jumped), [[jumped.id, ['site_mismatch', 'area_jump']]]],
    ]);
  });

  it('by any of two photos of one moment that contradict each other', async () => {
    const [one, other] = [await at(0, 9, { laterality: 'left' }), await at(0, 9, { laterality: 'right' })];
    expect([await reasonsOf(one), await reasonsOf(other)]).toEqual([[], ['site_mismatch']]);
  });

  it('for nobody else’s sight', async () => {
    await at(0, 9, { laterality: 'left' });
    await at(1, 8, { laterality: 'right' });
    const other = await ground.context.createTenant();
    expect((await ground.followUp.wounds.list(other, { attention: true }, 10, null)).items).toEqual([]);
    expect(
      (await ground.followUp.wounds.list({ ...ground.tenant, environment: 'live' }, { attention: true }, 10, null))
        .items,
    ).toEqual([]);
  });
});

describe('a person ends it', () => {
  const doubted = async () => {
    const left = await at(0, 9, { laterality: 'left' });
    return { left, right: await at(1, 8, { laterality: 'right' }) };
  };

  it('by accepting the result, which then stands in the series', async () => {
    const { left, right } = await doubted();
    const accepted = await ground.review(right, { decision: 'accept' });
    expect(accepted.content.comparison).toMatchObject({
      attention: [],
      noTrendReason: null,
      previous: { reportId: left.id },
    });
    expect(await listed(true)).toEqual([]);
    expect(await listed(false)).toEqual([[woundOf(left), []]]);
    expect((await at(2, 7, { laterality: 'right' })).content.comparison.attention).toEqual([]);
  });

  it('by correcting its outline', async () => {
    const { right } = await doubted();
    const corrected = await ground.review(right, { decision: 'correct', outlines: [0] });
    expect(corrected.content.comparison).toMatchObject({ attention: [], noTrendReason: null });
    expect(await listed(true)).toEqual([]);
  });

  it('by rejecting it, and the withdrawn report waits for nobody', async () => {
    const { right } = await doubted();
    const rejected = await ground.review(right, { decision: 'reject' });
    expect(rejected).toMatchObject({
      status: 'entered-in-error',
      content: { comparison: { attention: [], noTrendReason: 'withdrawn' } },
    });
    expect(await listed(true)).toEqual([]);
  });

  it('by reassigning it to the wound on that side', async () => {
    const { left, right } = await doubted();
    const other = await at(0, 5, { woundId: 'W2', laterality: 'right' });
    const moved = await ground.review(right, {
      decision: 'reassign',
      subject: { ...WOUND, woundId: 'W2', laterality: 'right' },
    });
    expect(woundOf(moved)).toBe(woundOf(other));
    expect(moved.content.comparison).toMatchObject({ attention: [], previous: { reportId: other.id } });
    expect((await ground.read(right.id)).content.comparison).toMatchObject({ attention: [] });
    expect(await listed(true)).toEqual([]);
    expect((await ground.followUp.reader.timeline(ground.tenant, woundOf(left), NO_PERIOD)).assessments).toHaveLength(
      1,
    );
  });

  it('by reassigning it to the same wound with the side put right', async () => {
    const { left, right } = await doubted();
    const moved = await ground.review(right, {
      decision: 'reassign',
      subject: { ...WOUND, laterality: 'left' },
    });
    expect(moved.content).toMatchObject({
      subject: { laterality: 'left' },
      comparison: { attention: [], previous: { reportId: left.id } },
    });
    expect(await listed(true)).toEqual([]);
  });

  it('by rejecting the earlier photo, which was the wrong one', async () => {
    const { left, right } = await doubted();
    await ground.review(left, { decision: 'reject' });
    expect(await reasonsOf(right)).toEqual([]);
    expect((await ground.followUp.wounds.get(ground.tenant, woundOf(right))).wound).toMatchObject({
      laterality: 'right',
      waiting: [],
    });
  });
});

describe('under a policy that makes reports final at once', () => {
  beforeEach(() =>
    ground.context
      .get(UnitOfWork)
      .inSystem((transaction) =>
        ground.context
          .get(OrganizationRepository)
          .update(transaction, ground.tenant.organizationId, { resultPolicy: 'auto-final' }),
      ),
  );

  it('what waits is preliminary until a person has accepted it', async () => {
    expect((await at(0, 9, { laterality: 'left' })).status).toBe('final');
    const right = await at(1, 8, { laterality: 'right' });
    expect(right.status).toBe('preliminary');
    expect((await ground.review(right, { decision: 'accept' })).status).toBe('final');
  });

  it('and is final where the decision about another photo ends its wait', async () => {
    const left = await at(0, 9, { laterality: 'left' });
    const right = await at(1, 8, { laterality: 'right' });
    await ground.review(left, { decision: 'reject' });
    expect(await ground.read(right.id)).toMatchObject({ version: 2, status: 'final' });
  });
});

describe('wounds that a person joined', () => {
  it('may lie at two sites, and what waits under either is listed with the one that stands', async () => {
    const heel = await at(0, 9, { bodySite: HEEL, laterality: 'left' });
    const foot = await at(1, 8, { woundId: 'W2', bodySite: FOOT, laterality: 'left' });
    await ground.within((transaction) =>
      ground.followUp.wounds.merge(transaction, woundOf(foot), woundOf(heel), { reviewer: null, note: null }),
    );
    expect([await reasonsOf(heel), await reasonsOf(foot)]).toEqual([[], []]);
    const wrong = await at(2, 7, { woundId: 'W2', bodySite: FOOT, laterality: 'right' });
    expect(await reasonsOf(wrong)).toEqual(['site_mismatch']);
    expect(await listed(true)).toEqual([[woundOf(heel), [[wrong.id, ['site_mismatch']]]]]);
    expect(await listed(false)).toEqual([]);
  });
});

describe('a result says as its job completes', () => {
  const summarised = async (subject: JobSubject | null, drawn = squareOf(9)) => {
    const job = await ground.context.createJob(ground.tenant, {
      subject,
      capturedAt: new Date('2025-01-13T09:00:00Z'),
    });
    const patientId =
      (await at(0, 9, { laterality: 'left' })) &&
      (await ground.followUp.wounds.list(ground.tenant, {}, 1, null)).items[0]!.patientId;
    return ground.followUp.summariser.summarise({ ...job, patientId }, drawResult(drawn));
  };

  it('that it contradicts the wound’s side, without a comparison', async () => {
    expect(await summarised({ ...WOUND, laterality: 'right' })).toEqual({
      followUp: null,
      attention: ['site_mismatch'],
    });
  });

  it('that its area is no limb’s, also of a wound that nobody named', async () => {
    expect(await summarised(null, { boxes: [[10, 10, 430, 430]], mmPerPixel: 1 })).toEqual({
      followUp: null,
      attention: ['area_implausible'],
    });
  });

  it('nothing where all is as before', async () => {
    expect(await summarised({ ...WOUND, laterality: 'left' })).toMatchObject({
      followUp: { daysSincePrevious: 7 },
      attention: [],
    });
  });
});

it('the waiting wounds are found by an index of what waits alone', async () => {
  await at(0, 9, { laterality: 'left' });
  await at(1, 8, { laterality: 'right' });
  // Among many that do not wait, so that one plan is the cheapest whatever the statistics of two rows say.
  await queryDatabase(
    ground.database.url,
    `insert into reports select (jsonb_populate_record(report, jsonb_build_object('id', gen_random_uuid(), 'replaces', report.id, 'attention', null))).*
       from reports report, generate_series(1, 1000) where organization_id = $1`,
    [ground.tenant.organizationId],
  );
  await queryDatabase(ground.database.url, 'analyze reports, wounds');
  const plan = await ground.within(async (transaction) => {
    const { sql, values } = woundListQuery(ground.tenant, { attention: true }, 20, null);
    return JSON.stringify((await statementsOf(transaction).run(`explain (format json) ${sql}`, values)).rows);
  });
  expect(plan).toContain('reports_waiting');
});
