import type { JobSubject } from '../../../src/core/analysis/analysis-job.js';
import type { ClinicalReport } from '../../../src/core/report/clinical-report.js';
import { queryDatabase } from '../../support/database-query.js';
import { WOUND } from '../../support/follow-up-context.js';
import { FollowUpGround, NO_PERIOD, woundOf } from './follow-up-ground.js';

const ground = FollowUpGround.forSpecs();

/** A report of a week, whose photo has these bytes. */
async function visit(
  week: number,
  areaCm2: number,
  bytes: string,
  subject: JobSubject = WOUND,
): Promise<ClinicalReport> {
  const { followUp, tenant, database } = ground;
  const job = await followUp.completeJob(tenant, week, areaCm2, subject);
  await queryDatabase(database.url, 'update images set sha256 = $2 where id = $1', [job.imageId, bytes.repeat(64)]);
  await followUp.assembly.assemble(tenant, job.id);
  return followUp.read(tenant, job.reportId);
}
const qualityOf = ({ content }: ClinicalReport) => content.findings.quality;
const reread = ({ id }: ClinicalReport) => ground.followUp.read(ground.tenant, id);
const sequenceOf = async (report: ClinicalReport) => {
  const { assessments } = await ground.followUp.reader.timeline(ground.tenant, woundOf(report), NO_PERIOD);
  return assessments.map(({ report: { id }, sequence }) => [id, sequence]);
};

describe('a photo that was sent as two images of one wound', () => {
  it('is one place in the series, says which image it is too, and claims no change', async () => {
    const first = await visit(0, 9, 'a');
    const again = await visit(0, 9, 'a');
    expect(qualityOf(again)).toMatchObject({
      warnings: expect.arrayContaining(['duplicate_photo']),
      duplicateOf: first.imageId,
    });
    expect(again.content.comparison).toMatchObject({ sincePrevious: null, trend: null, supersedes: first.id });
    const superseded = (await reread(first)).content.comparison;
    expect(superseded).toMatchObject({ noTrendReason: 'superseded', supersededBy: again.id });
    expect(qualityOf(first)).not.toHaveProperty('duplicateOf');
    const later = await visit(1, 6, 'b');
    expect(later.content.comparison).toMatchObject({
      previous: { reportId: again.id },
      sincePrevious: { days: 7 },
    });
    expect(new Set((await sequenceOf(later)).map(([, sequence]) => sequence))).toEqual(new Set([1, 2]));
  });

  it('is so with a third, and where the first was sent later', async () => {
    const [one, two, three] = [await visit(0, 9, 'a'), await visit(0, 9, 'a'), await visit(0, 9, 'a')];
    expect([qualityOf(two).duplicateOf, qualityOf(three).duplicateOf]).toEqual([one.imageId, one.imageId]);
    expect((await reread(one)).content.comparison.supersededBy).toBe(three.id);
    expect((await reread(two)).content.comparison.supersededBy).toBe(three.id);
  });

  it('stands as the one that a person has reviewed', async () => {
    const first = await visit(0, 9, 'a');
    await ground.review(first, { decision: 'accept' });
    const again = await visit(0, 9, 'a');
    expect(again.content.comparison).toMatchObject({ noTrendReason: 'superseded', supersededBy: first.id });
  });
});

describe('the same bytes', () => {
  it('of another patient, or of another organization, are another photo', async () => {
    await visit(0, 9, 'a');
    expect(qualityOf(await visit(0, 9, 'a', { patientId: 'MRN-2', woundId: 'W1' }))).not.toHaveProperty('duplicateOf');
    ground.tenant = await ground.context.createTenant();
    expect(qualityOf(await visit(0, 9, 'a'))).not.toHaveProperty('duplicateOf');
  });

  it('for another wound of the patient have the warning, and a place in each series', async () => {
    const first = await visit(0, 9, 'a');
    const other = await visit(0, 4, 'a', { ...WOUND, woundId: 'W2' });
    expect(qualityOf(other)).toMatchObject({ duplicateOf: first.imageId });
    expect(other.content.comparison).toMatchObject({ noTrendReason: null, supersedes: null });
    expect((await reread(first)).content.comparison.supersededBy).toBeNull();
  });
});
