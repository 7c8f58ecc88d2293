import type { JobSubject } from '../../../src/core/analysis/analysis-job.js';
import { OrganizationRepository } from '../../../src/core/organizations/organization.repository.js';
import { UnitOfWork } from '../../../src/core/ports/unit-of-work.js';
import type { ClinicalReport } from '../../../src/core/report/clinical-report.js';
import { WOUND, type PhotoContent } from '../../support/follow-up-context.js';
import type { DrawnResult } from '../../support/wound-results.js';
import { BY_REVIEWER, FollowUpGround, woundOf } from './follow-up-ground.js';

const BYTES: PhotoContent = { sha256: 'ab'.repeat(32) };
const TWO: DrawnResult = {
  boxes: [
    [50, 50, 250, 250],
    [400, 100, 440, 140],
  ],
};
const LARGE = { x: 100, y: 100 };
const SMALL = { x: 420, y: 120 };

const ground = FollowUpGround.forSpecs();

const file = async (
  week: number,
  subject: Partial<JobSubject> = {},
  { drawn = {}, photo = BYTES }: { readonly drawn?: DrawnResult; readonly photo?: PhotoContent } = {},
): Promise<ClinicalReport> => {
  const report = await ground.followUp.assess(ground.tenant, week, 5, { ...WOUND, ...subject }, drawn, photo);
  await ground.followUp.settleSharedPhotos(ground.tenant);
  return ground.read(report.id);
};
const now = async ({ id }: ClinicalReport) => {
  const { status, version, content } = await ground.read(id);
  return { status, version, attention: content.comparison.attention };
};
const issueAtOnce = () =>
  ground.context
    .get(UnitOfWork)
    .inSystem((system) =>
      ground.context
        .get(OrganizationRepository)
        .update(system, ground.tenant.organizationId, { resultPolicy: 'auto-final' }),
    );

describe('the same photo', () => {
  beforeEach(issueAtOnce);

  it('as another visit of the wound waits, out of the curve, and the first visit stays as it was issued', async () => {
    const first = await file(0);
    const copy = await file(1);
    expect(copy).toMatchObject({ status: 'preliminary', content: { comparison: { attention: ['duplicate_photo'] } } });
    expect(copy.content.comparison).toMatchObject({ noTrendReason: 'awaiting_confirmation', trend: null });
    expect(await now(first)).toEqual({ status: 'final', version: 1, attention: [] });
    const [listed] = (await ground.followUp.wounds.list(ground.tenant, { attention: true }, 10, null)).items;
    expect(listed).toMatchObject({
      id: woundOf(first),
      waiting: [{ reportId: copy.id, reasons: ['duplicate_photo'] }],
    });
  });

  it('is known by its pixels where it was saved anew', async () => {
    await file(0, {}, { photo: { pixelSha256: 'cd'.repeat(32) } });
    const copy = await file(1, {}, { photo: { pixelSha256: 'cd'.repeat(32) } });
    expect(copy.content.comparison.attention).toEqual(['duplicate_photo']);
  });

  it('for another patient waits for both, also where the first was issued', async () => {
    const first = await file(0);
    const other = await file(0, { patientId: 'MRN-2' });
    expect(await now(other)).toEqual({ status: 'preliminary', version: 1, attention: ['duplicate_photo'] });
    expect(await now(first)).toEqual({ status: 'amended', version: 2, attention: ['duplicate_photo'] });
  });

  it('frees the right one as soon as the wrong one is rejected', async () => {
    const first = await file(0);
    const other = await file(0, { patientId: 'MRN-2' });
    await ground.review(other, { decision: 'reject' });
    await ground.followUp.settleSharedPhotos(ground.tenant);
    expect(await now(first)).toMatchObject({ attention: [] });
  });

  it('that a person has accepted does not wait, whatever comes later', async () => {
    const first = await file(0);
    await ground.review(first, { decision: 'accept' });
    await file(0, { patientId: 'MRN-2' });
    expect(await now(first)).toMatchObject({ status: 'final', attention: [] });
  });

  it('means nothing to another organization', async () => {
    await file(0);
    ground.tenant = await ground.context.createTenant();
    expect(await now(await file(1, { patientId: 'MRN-2' }))).toMatchObject({ attention: [] });
  });
});

describe('two wounds in one photo', () => {
  beforeEach(issueAtOnce);

  it('filed without a region wait both, the first also after it was issued', async () => {
    const first = await file(0, { woundId: 'BIG' }, { drawn: TWO });
    const second = await file(0, { woundId: 'SMALL' }, { drawn: TWO });
    expect(await now(second)).toMatchObject({ status: 'preliminary', attention: ['which_outline'] });
    expect(await now(first)).toMatchObject({ status: 'amended', attention: ['which_outline'] });
  });

  it('each with its region have each its own area, and neither waits', async () => {
    const big = await file(0, { woundId: 'BIG', region: LARGE }, { drawn: TWO });
    const small = await file(0, { woundId: 'SMALL', region: SMALL }, { drawn: TWO });
    expect([await now(big), await now(small)]).toMatchObject([
      { status: 'final', attention: [] },
      { status: 'final', attention: [] },
    ]);
    const areas = [big, small].map(({ content }) => content.findings.figures?.area.cm2?.value);
    expect(areas).toEqual([16, 0.64]);
  });

  it('with regions that mean one outline wait both', async () => {
    await file(0, { woundId: 'BIG', region: LARGE }, { drawn: TWO });
    const small = await file(0, { woundId: 'SMALL', region: LARGE }, { drawn: TWO });
    expect(await now(small)).toMatchObject({ attention: ['which_outline'] });
  });

  it('and a region without a wound wait, with no area of another wound', async () => {
    const nowhere = await file(0, { region: { x: 330, y: 400 } }, { drawn: TWO });
    expect(nowhere.content).toMatchObject({
      findings: { woundDetected: false, figures: null, otherOutlines: 2 },
      comparison: { attention: ['no_wound_in_region'] },
    });
  });

  it('of like size wait where nobody said which it is', async () => {
    const drawn: DrawnResult = {
      boxes: [
        [50, 50, 150, 150],
        [300, 50, 398, 148],
      ],
    };
    expect(await now(await file(0, {}, { drawn }))).toMatchObject({
      status: 'preliminary',
      attention: ['which_outline'],
    });
    const told = await file(1, { region: { x: 340, y: 100 } }, { drawn, photo: {} });
    expect(told.content.findings).toMatchObject({ outlineChoice: 'region', ambiguous: false });
  });

  it('are no longer two where a person joins the wounds', async () => {
    const first = await file(0, { woundId: 'BIG' }, { drawn: TWO });
    const second = await file(0, { woundId: 'SMALL' }, { drawn: TWO });
    await ground.within((transaction) =>
      ground.followUp.wounds.merge(transaction, woundOf(second), woundOf(first), BY_REVIEWER),
    );
    await ground.followUp.settleSharedPhotos(ground.tenant);
    expect(await now(first)).toMatchObject({ attention: [] });
  });
});
