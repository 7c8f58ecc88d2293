import { ReportRepository } from '../../../src/core/report/report.repository.js';
import { OrganizationRepository } from '../../../src/core/organizations/organization.repository.js';
import { UnitOfWork } from '../../../src/core/ports/unit-of-work.js';
import { REVIEWER, WOUND } from '../../support/follow-up-context.js';
import { rectangle } from '../../support/wound-results.js';
import { FollowUpGround, woundOf } from './follow-up-ground.js';

const FOUR_CM2 = [rectangle(20, 20, 120, 120)];

describe('decisions about a report', () => {
  const ground = FollowUpGround.forSpecs();

  it('refuses a decision about a version that is no longer the present one', async () => {
    const report = await ground.assess(0, 9);
    await ground.review(report, { decision: 'accept' });
    await expect(ground.review(report, { decision: 'reject' })).rejects.toMatchObject({
      code: 'report.stale',
    });
  });

  it('lets one of two simultaneous decisions win', async () => {
    const report = await ground.assess(0, 9);
    const outcomes = await Promise.allSettled([
      ground.review(report, { decision: 'accept' }),
      ground.review(report, { decision: 'reject' }),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await ground.followUp.reader.versions(ground.tenant, report.id)).toHaveLength(2);
  });

  it('writes nothing when a correction does not fit', async () => {
    const report = await ground.assess(0, 9);
    await expect(
      ground.review(report, { decision: 'correct', contour: [rectangle(0, 0, 9000, 9)] }),
    ).rejects.toMatchObject({ code: 'request.invalid' });
    expect(await ground.read(report.id)).toMatchObject({ version: 1, status: 'preliminary' });
  });

  it('versions a correction, and the later reports whose figures it changes, each at its own rank', async () => {
    const weeks = [
      await ground.assess(0, 9),
      await ground.assess(1, 7),
      await ground.assess(2, 6),
      await ground.assess(3, 5),
      await ground.assess(4, 4.5),
    ];
    await ground.review(weeks[3]!, { decision: 'accept' });
    await ground.takeReportEvents();
    const corrected = await ground.review(weeks[2]!, {
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
    const next = await ground.read(weeks[3]!.id);
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
    const last = await ground.read(weeks[4]!.id);
    expect(last).toMatchObject({ version: 2, content: { comparison: { previous: { reportId: next.id } } } });
    const original = (await ground.followUp.reader.versions(ground.tenant, weeks[2]!.id))[0]!;
    expect(original.content.findings.figures!.area.cm2!.value).toBe(6);
    expect(await ground.takeReportEvents()).toEqual([
      { kind: 'report.amended', subjectId: corrected.id },
      { kind: 'report.amended', subjectId: next.id },
      { kind: 'report.amended', subjectId: last.id },
    ]);
  });

  it('recomputes every later report when the first photo is corrected, since it is their baseline', async () => {
    const weeks = [await ground.assess(0, 9), await ground.assess(1, 7), await ground.assess(2, 6)];
    await ground.review(weeks[0]!, { decision: 'correct', contour: [rectangle(20, 20, 220, 220)] });
    const [second, third] = [await ground.read(weeks[1]!.id), await ground.read(weeks[2]!.id)];
    expect([second.version, third.version]).toEqual([2, 2]);
    expect(third.content.comparison).toMatchObject({
      sinceBaseline: { areaPct: -62.5 },
      sincePrevious: { areaPct: -14.3 },
    });
  });

  it('closes the series up behind a rejected report, which takes no further decision', async () => {
    const weeks = [await ground.assess(0, 9), await ground.assess(1, 20), await ground.assess(2, 6)];
    const rejected = await ground.review(weeks[1]!, { decision: 'reject', note: 'Wrong foot.' });
    expect(rejected).toMatchObject({ version: 2, status: 'entered-in-error' });
    expect((await ground.read(weeks[2]!.id)).content.comparison.previous?.reportId).toBe(weeks[0]!.id);
    expect(await ground.areasOf(woundOf(weeks[0]!))).toEqual([9, 6]);
    expect((await ground.followUp.reader.read(ground.tenant, weeks[1]!.id)).sequence).toBeNull();
    await expect(ground.review(rejected, { decision: 'accept' })).rejects.toMatchObject({
      code: 'report.entered_in_error',
    });
  });

  it('refuses a reassignment to nobody, and then has changed nothing', async () => {
    const report = await ground.assess(0, 9);
    await expect(ground.review(report, { decision: 'reassign', subject: { woundId: 'W9' } })).rejects.toMatchObject({
      code: 'request.invalid',
    });
    expect(await ground.read(report.id)).toMatchObject({ version: 1, status: 'preliminary' });
  });

  it('moves a photo to the right patient by a new report that takes the place of the old', async () => {
    const [first, wrong] = [await ground.assess(0, 9), await ground.assess(1, 3)];
    const theirs = await ground.assess(0, 4, { patientId: 'MRN-9', woundId: 'W1' });
    const moved = await ground.review(wrong, {
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
    expect(await ground.read(wrong.id)).toMatchObject({ status: 'entered-in-error', replacedBy: moved.id });
    expect(await ground.areasOf(woundOf(theirs))).toEqual([4, 3]);
    expect(await ground.areasOf(woundOf(first))).toEqual([9]);
  });

  it('is final at once where the organization’s policy says so, and corrected by a correction', async () => {
    const organizations = ground.context.get(OrganizationRepository);
    await ground.context
      .get(UnitOfWork)
      .inSystem((transaction) =>
        organizations.update(transaction, ground.tenant.organizationId, { resultPolicy: 'auto-final' }),
      );
    const report = await ground.assess(0, 9);
    expect(report.status).toBe('final');
    expect((await ground.review(report, { decision: 'correct', contour: FOUR_CM2 })).status).toBe('corrected');
  });

  it('corrects what was stated as it corrects an outline: the verdict is made anew, and the former figures stay in the version before', async () => {
    const stated = (week: number, depthCm: number) =>
      ground.followUp.assess(ground.tenant, week, 9, WOUND, {}, { observations: { depthCm, exudate: 'light' } });
    await stated(0, 0.4);
    const wrong = await stated(1, 4.5);
    expect(wrong.content.comparison.course).toMatchObject({ verdict: 'worsening' });
    const accepted = await ground.review(wrong, { decision: 'accept' });
    const corrected = await ground.review(accepted, { decision: 'correct', observations: { depthCm: 0.45 } });
    expect(corrected).toMatchObject({ status: 'corrected', content: { clinicianObservations: { depthCm: 0.45 } } });
    expect(corrected.content.clinicianObservations).not.toHaveProperty('exudate');
    expect(corrected.content.comparison.course?.verdict).not.toBe('worsening');
    const versions = await ground.within((transaction) =>
      ground.context.get(ReportRepository).versions(transaction, wrong.id),
    );
    expect(versions.map(({ content }) => content.clinicianObservations?.depthCm)).toEqual([4.5, 4.5, 0.45]);
    expect(versions.map(({ content }) => content.formReplaced)).toEqual([undefined, false, true]);
    const again = await ground.review(corrected, { decision: 'accept' });
    expect((await ground.read(again.id)).content).toMatchObject({ formReplaced: true, review: { decision: 'accept' } });
  });

  it('moves a photo with the form that a person had put in place, not with the one that it came with', async () => {
    const wrong = await ground.followUp.assess(ground.tenant, 1, 9, WOUND, {}, { observations: { depthCm: 4.5 } });
    const corrected = await ground.review(wrong, { decision: 'correct', observations: { depthCm: 0.45 } });
    const subject = { patientId: 'MRN-9', woundId: 'W1' };
    const moved = await ground.review(corrected, { decision: 'reassign', subject });
    expect(moved.content).toMatchObject({ clinicianObservations: { depthCm: 0.45 } });
    expect(moved.content.formReplaced).toBeUndefined();
  });
});
