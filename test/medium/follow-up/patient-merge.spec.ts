import { v7 } from 'uuid';
import { ImageRepository } from '../../../src/core/images/image.repository.js';
import { JobRepository } from '../../../src/core/analysis/job.repository.js';
import { PatientRepository } from '../../../src/core/patients/patient.repository.js';
import { UnitOfWork } from '../../../src/core/ports/unit-of-work.js';
import { WoundRepository } from '../../../src/core/followup/wound.repository.js';
import { eventually } from '../../support/eventually.js';
import { queryDatabase } from '../../support/database-query.js';
import { FollowUpGround } from './follow-up-ground.js';

const id = (value: string, system = 'urn:oid:1.2.3') => ({ system, value });
const subject = (patientId: string, woundId = 'W-1') => ({ patientId, patientSystem: 'urn:oid:1.2.3', woundId });

describe('joining two records of a patient', () => {
  const ground = FollowUpGround.forSpecs();

  const carrierOf = async (value: string) =>
    (await ground.within((transaction) => ground.context.get(PatientRepository).carriers(transaction, [id(value)])))[0];
  const patient = (patientId: string) =>
    ground.within((transaction) => ground.context.get(PatientRepository).find(transaction, patientId));
  const join = (survivor: string[], prior: string[]) =>
    ground.followUp.merge(ground.tenant, {
      survivor: survivor.map((value) => id(value)),
      prior: prior.map((value) => id(value)),
    });
  const register = (...values: string[]) =>
    ground.within((transaction) =>
      ground.context.get(PatientRepository).register(
        transaction,
        values.map((value) => id(value)),
        v7(),
      ),
    );

  it('is refused where the identifiers that stay belong to different patients, or name nobody', async () => {
    await register('NEW');
    await register('GP');
    await register('OLD');
    expect(await join(['NEW', 'GP'], ['OLD'])).toBe(false);
    expect(await join([], ['OLD'])).toBe(false);
    expect(await join(['NEW'], [])).toBe(false);
    expect(await carrierOf('OLD')).not.toBe(await carrierOf('NEW'));
  });

  it('does not reach another tenant’s patient of the same number', async () => {
    const mine = await register('OLD');
    const other = { ...ground.tenant, environment: 'live' as const };
    await ground.followUp.merge(other, { survivor: [id('NEW')], prior: [id('OLD')] });
    expect(await carrierOf('OLD')).toBe(mine);
    expect(await patient(mine!)).toMatchObject({ mergedInto: null });
  });

  it('lets the old number find the survivor, and keeps the old row as one that ended', async () => {
    const [survivor, prior] = [await register('NEW', 'GP'), await register('OLD')];
    expect(await join(['NEW', 'GP'], ['OLD'])).toBe(true);
    expect([await carrierOf('NEW'), await carrierOf('GP'), await carrierOf('OLD')]).toEqual([
      survivor,
      survivor,
      survivor,
    ]);
    expect(await patient(prior!)).toMatchObject({ identifiers: [], mergedInto: survivor });
  });

  it('makes records that nobody knew, either side', async () => {
    await join(['NEW'], ['OLD']);
    const survivor = await carrierOf('NEW');
    expect(await carrierOf('OLD')).toBe(survivor);
    const rows = await queryDatabase<{ merged_into: string | null }>(
      ground.database.url,
      'select merged_into from patients where organization_id = $1 order by merged_into nulls first',
      [ground.tenant.organizationId],
    );
    expect(rows).toEqual([{ merged_into: null }, { merged_into: survivor }]);
  });

  it('takes the number that the record that ends has in common with the one that stays', async () => {
    const prior = await register('OLD', 'GP');
    await join(['NEW', 'GP'], ['OLD']);
    const survivor = await carrierOf('NEW');
    expect(survivor).not.toBe(prior);
    expect([await carrierOf('GP'), await carrierOf('OLD')]).toEqual([survivor, survivor]);
  });

  it('changes nothing when it is repeated', async () => {
    const report = await ground.assess(0, 9, subject('OLD'));
    await join(['NEW'], ['OLD']);
    await ground.takeReportEvents();
    expect(await join(['NEW'], ['OLD'])).toBe(true);
    expect(await ground.takeReportEvents()).toEqual([]);
    expect((await ground.read(report.id)).version).toBe(2);
  });

  it('moves photos, jobs and wounds, and gives their reports a version that is told as moved', async () => {
    const report = await ground.assess(0, 9, subject('OLD'));
    const survivor = await register('NEW');
    await ground.takeReportEvents();
    await join(['NEW'], ['OLD']);
    const moved = await ground.read(report.id);
    expect(moved).toMatchObject({
      version: 2,
      reason: 'moved',
      content: { subject: { patient: id('NEW'), woundId: 'W-1', woundRef: report.content.subject.woundRef } },
    });
    expect(await ground.takeReportEvents()).toEqual([{ kind: 'report.moved', subjectId: report.id }]);
    const job = await ground.context.get(JobRepository).read(ground.tenant, report.jobId);
    expect(job).toMatchObject({ patientId: survivor });
    expect((await ground.followUp.wounds.list(ground.tenant, { patientId: 'NEW' }, 10, null)).items).toMatchObject([
      { id: report.content.subject.woundRef, patientId: survivor },
    ]);
  });

  it('goes on with the series when a photo comes under either number', async () => {
    const first = await ground.assess(0, 9, subject('OLD'));
    await join(['NEW'], ['OLD']);
    const second = await ground.assess(1, 7, subject('OLD'));
    const third = await ground.assess(2, 5, subject('NEW'));
    expect(second.content).toMatchObject({
      subject: { patient: id('NEW') },
      comparison: { previous: { reportId: first.id } },
    });
    expect(third.content.comparison).toMatchObject({
      previous: { reportId: second.id },
      baseline: { reportId: first.id },
    });
  });

  it('makes wounds of one number one series, and keeps others apart', async () => {
    const [own, old, other] = [
      await ground.assess(0, 9, subject('NEW')),
      await ground.assess(1, 7, subject('OLD')),
      await ground.assess(1, 3, subject('OLD', 'W-2')),
    ];
    await join(['NEW'], ['OLD']);
    const { woundRef } = own.content.subject;
    expect(await ground.read(old.id)).toMatchObject({
      content: {
        subject: { woundRef, woundId: 'W-1' },
        comparison: { previous: { reportId: own.id }, sincePrevious: { areaPct: -22.2 } },
      },
    });
    expect((await ground.read(other.id)).content.comparison.previous).toBeNull();
    expect((await ground.followUp.wounds.get(ground.tenant, old.content.subject.woundRef)).events).toMatchObject([
      { decision: 'merged', otherWoundId: woundRef, reviewer: null },
    ]);
    expect((await ground.assess(2, 5, subject('OLD'))).content.comparison).toMatchObject({
      previous: { reportId: old.id },
    });
  });

  it('follows a chain of joins', async () => {
    const report = await ground.assess(0, 9, subject('A'));
    const ended = await carrierOf('A');
    await join(['B'], ['A']);
    await join(['C'], ['B']);
    expect([await carrierOf('A'), await carrierOf('B')]).toEqual([await carrierOf('C'), await carrierOf('C')]);
    expect((await patient(ended!))?.mergedInto).toBe(await carrierOf('C'));
    expect((await ground.read(report.id)).content.subject.patient).toEqual(id('C'));
  });

  it('gives the survivor what is filed under the old row while the join commits', async () => {
    const prior = (await register('OLD'))!;
    const image = await ground.context.createJob(ground.tenant, { subject: null, patientId: null });
    let filing: Promise<void> | undefined;
    await ground.within(async (transaction) => {
      const rows = await ground.followUp.merging.resolve(transaction, { survivor: [id('NEW')], prior: [id('OLD')] });
      await ground.followUp.merging.join(transaction, rows!);
      filing = ground.context
        .get(UnitOfWork)
        .inTenant(ground.tenant, (second) =>
          ground.context.get(ImageRepository).assignPatient(second, image.imageId, prior),
        );
      const waiting = `select 1 as one from pg_stat_activity where wait_event_type = 'Lock' and query like 'update images%'`;
      await eventually('the other transaction waits', async () =>
        (await queryDatabase<{ one: number }>(ground.database.url, waiting)).length > 0 ? true : undefined,
      );
    });
    await filing;
    const found = await ground.within((transaction) =>
      ground.context.get(ImageRepository).find(transaction, image.imageId),
    );
    expect(found?.patientId).toBe(await carrierOf('NEW'));
    expect(
      await ground.within((transaction) => ground.context.get(WoundRepository).ofPatient(transaction, prior)),
    ).toEqual([]);
  });
});
