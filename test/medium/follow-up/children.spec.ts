import type { Patient } from '@medplum/fhirtypes';
import { v7 } from 'uuid';
import { JobRepository } from '../../../src/core/analysis/job.repository.js';
import { Outbox } from '../../../src/core/domain-events/outbox.js';
import { WoundRepository } from '../../../src/core/followup/wound.repository.js';
import { OrganizationRepository } from '../../../src/core/organizations/organization.repository.js';
import { PatientRepository } from '../../../src/core/patients/patient.repository.js';
import { Clock } from '../../../src/core/ports/clock.js';
import { UnitOfWork } from '../../../src/core/ports/unit-of-work.js';
import type { ClinicalReport } from '../../../src/core/report/clinical-report.js';
import { WorklistRepository } from '../../../src/core/report/worklist.repository.js';
import { BirthDateChange } from '../../../src/core/wounds/birth-date-change.js';
import { R4Definitions } from '../../../src/standards/fhir/definitions/r4-definitions.js';
import { ResourceIndexer } from '../../../src/standards/fhir/search-index/rows/resource-indexer.js';
import { TypeSearches } from '../../../src/standards/fhir/search-index/parameters/type-searches.js';
import { SqlResourceStore } from '../../../src/standards/fhir/store/sql-resource.store.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import { WOUND } from '../../support/follow-up-context.js';
import { drawResult, squareOf } from '../../support/wound-results.js';
import { FollowUpGround } from './follow-up-ground.js';

const ground = FollowUpGround.forSpecs();
const NUMBER = { system: '', value: WOUND.patientId! };
/** Of a newborn on the photo of the first week, and of an adult. */
const [NEWBORN, ADULT] = ['2025-01-01', '1951-07-14'];

let store: SqlResourceStore;
beforeAll(() => {
  store = new SqlResourceStore(new ResourceIndexer(new TypeSearches(new R4Definitions())), ground.context.get(Clock));
});
beforeEach(() =>
  ground.context
    .get(UnitOfWork)
    .inSystem((transaction) =>
      ground.context
        .get(OrganizationRepository)
        .update(transaction, ground.tenant.organizationId, { resultPolicy: 'auto-final' }),
    ),
);

/** The patient's record says so from now on; null: no birth date. */
async function born(birthDate: string | null): Promise<void> {
  const author = { kind: 'service' } as const;
  await ground.within(async (transaction) => {
    const id = await ground.context.get(PatientRepository).resolve(transaction, NUMBER, v7());
    const next: Patient = { resourceType: 'Patient', id, ...(birthDate === null ? {} : { birthDate }) };
    const current = await store.findForUpdate<Patient>(transaction, 'Patient', id);
    if (current === null) await store.insert(transaction, next, author);
    else await store.replace(transaction, current, next, author);
    const ports = {
      wounds: ground.context.get(WoundRepository),
      patients: ground.context.get(PatientRepository),
      outbox: ground.context.get(Outbox),
    };
    await new BirthDateChange(ports).tell(transaction, id);
  });
  await ground.followUp.settleRelatedWounds(ground.tenant);
}

/** The report of another analysis of the photo. */
async function analysedAgain({ jobId }: ClinicalReport): Promise<ClinicalReport> {
  const jobs = ground.context.get(JobRepository);
  const first = (await ground.within((transaction) => jobs.find(transaction, jobId)))!;
  const { imageId, subject, patientId, capturedAt } = first;
  const job = await ground.context.createJob(ground.tenant, { imageId, subject, patientId, capturedAt });
  const claimed = await jobs.claim(60, job.id);
  await jobs.complete(claimed!.lease, drawResult(squareOf(9)));
  await ground.followUp.assembly.assemble(ground.tenant, job.id);
  return ground.read(job.reportId);
}

const standingOf = async ({ id }: ClinicalReport) => {
  const { status, content } = await ground.read(id);
  return [status, content.comparison.ageGroup ?? 'adult'];
};
const worklist = async () =>
  (
    await ground.within((transaction) =>
      ground.context.get(WorklistRepository).reportsForReview(transaction, { concern: null, after: null, limit: 10 }),
    )
  ).map(({ report, concern }) => [report.id, concern]);

describe('the result of a child, where results are final without a review', () => {
  it.each([
    ['was deleted', null],
    ['became one that stands for a day that nobody knows', '1900-01-01'],
  ])(
    'waits still where the birth date %s, and no longer once one says that the patient is an adult',
    async (_, lost) => {
      await born(NEWBORN);
      const report = await ground.assess(0, 9);
      expect(await standingOf(report)).toEqual(['preliminary', 'newborn']);
      await born(lost);
      expect(await standingOf(report)).toEqual(['preliminary', 'newborn']);
      expect(await standingOf(await analysedAgain(report))).toEqual(['preliminary', 'newborn']);
      await born(ADULT);
      expect((await standingOf(report))[1]).toBe('adult');
    },
  );

  it('waits still where the photo is of before the birth, and the birth date is lost', async () => {
    await born('2025-02-01');
    const report = await ground.assess(0, 9);
    await born(null);
    expect(await ground.read(report.id)).toMatchObject({
      status: 'preliminary',
      content: { comparison: { attention: ['before_birth'] } },
    });
    await born(ADULT);
    expect(await standingOf(report)).toEqual(['final', 'adult']);
  });

  it('waits still where the photo is analysed again, as what waits for another reason does', async () => {
    await born(NEWBORN);
    const report = await ground.assess(0, 9);
    expect(await standingOf(await analysedAgain(report))).toEqual(['preliminary', 'newborn']);
    expect(await standingOf(report)).toEqual(['preliminary', 'newborn']);

    await born(ADULT);
    await ground.assess(1, 9, { ...WOUND, laterality: 'left' });
    const doubted = await ground.assess(2, 9, { ...WOUND, laterality: 'right' });
    expect(doubted.content.comparison.attention).toEqual(['site_mismatch']);
    await analysedAgain(doubted);
    expect(await ground.read(doubted.id)).toMatchObject({
      status: 'preliminary',
      content: { comparison: { noTrendReason: 'superseded' } },
    });
  });

  it('waits still where the record is joined into one without a birth date', async () => {
    await born(NEWBORN);
    const report = await ground.assess(0, 9);
    expect(
      await ground.followUp.merge(ground.tenant, { survivor: [{ system: '', value: 'MRN-NEW' }], prior: [NUMBER] }),
    ).toBe(true);
    expect(await standingOf(report)).toEqual(['preliminary', 'newborn']);
  });

  it('stands in the worklist again where it was issued before the birth date came, until a person has looked', async () => {
    const report = await ground.assess(0, 9);
    expect([await standingOf(report), await worklist()]).toEqual([['final', 'adult'], []]);
    await born(NEWBORN);
    expect(await standingOf(report)).toEqual(['amended', 'newborn']);
    expect(await worklist()).toEqual([[report.id, 'held']]);
    await ground.review(await ground.read(report.id), { decision: 'accept' });
    expect(await worklist()).toEqual([]);
  });

  it('is a child’s where the birth date comes while the first photo of a wound is filed', async () => {
    const { id, reportId } = await ground.followUp.completeJob(ground.tenant, 0, 9);
    let isOver = false;
    const change = await ground.within(async (transaction) => {
      const job = (await ground.context.get(JobRepository).find(transaction, id))!;
      await ground.followUp.assembly.fileFirst(transaction, { ...job, result: job.result! });
      const begun = born(NEWBORN).finally(() => (isOver = true));
      const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await eventually(
        'the change waits, or is over',
        async () => isOver || (await queryDatabase(ground.database.url, waiting)).length > 0,
      );
      return { begun };
    });
    await change.begun;
    expect(await standingOf(await ground.read(reportId))).toEqual(['amended', 'newborn']);
  });

  it('says of a job whose report is to be made later what the age says', async () => {
    await born(NEWBORN);
    const job = await ground.followUp.completeJob(ground.tenant, 0, 9);
    const huge = drawResult({ boxes: [[10, 10, 430, 430]], mmPerPixel: 0.5 });
    expect((await ground.followUp.summariser.summarise(job, huge)).attention).toEqual(['area_implausible']);
    await born(ADULT);
    expect((await ground.followUp.summariser.summarise(job, huge)).attention).toEqual([]);
  });
});
