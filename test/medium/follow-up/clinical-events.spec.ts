import { v7 } from 'uuid';
import { PatientDataErasers } from '../../../src/core/erasure/patient-data-eraser.js';
import type { ClinicalEventType } from '../../../src/core/followup/clinical-event.js';
import type { ObjectStore } from '../../../src/core/images/object-store.js';
import { MOST_CLINICAL_EVENTS } from '../../../src/core/wounds/clinical-event.service.js';
import { queryDatabase } from '../../support/database-query.js';
import { erasureServicesOver } from '../../support/erasure-services.js';
import { REVIEWER, weekDate, WOUND } from '../../support/follow-up-context.js';
import { BY_REVIEWER, FollowUpGround, NO_PERIOD, woundOf } from './follow-up-ground.js';

const DAY_MS = 86_400_000;

describe('what was done to a wound between its photos', () => {
  const ground = FollowUpGround.forSpecs();
  /** So many days after the photo of the week. */
  const record = (woundRef: string, week: number, days: number, type: ClinicalEventType = 'debridement') =>
    ground.within((transaction) =>
      ground.followUp.clinicalEvents.record(transaction, woundRef, {
        type,
        occurredAt: new Date(weekDate(week).getTime() + days * DAY_MS),
        note: null,
        by: REVIEWER,
        enteredBy: 'HCP-0042',
      }),
    );
  const withdraw = (woundRef: string, eventId: string) =>
    ground.within((transaction) =>
      ground.followUp.clinicalEvents.withdraw(transaction, woundRef, eventId, {
        note: 'The other heel.',
        by: REVIEWER,
      }),
    );
  const verdictOf = async (reportId: string) => (await ground.read(reportId)).content.comparison.course!.verdict;

  it('is refused of a wound that is not there, of a time to come, and beyond what a wound takes', async () => {
    const report = await ground.assess(0, 8);
    await expect(record(v7(), 0, 1)).rejects.toMatchObject({ code: 'wound.not_found' });
    await expect(record(woundOf(report), 5000, 1)).rejects.toMatchObject({ code: 'capture.future' });
    await expect(withdraw(woundOf(report), v7())).rejects.toMatchObject({ code: 'wound.event_not_found' });
    await queryDatabase(
      ground.database.url,
      `insert into clinical_events (id, organization_id, environment, wound_id, type, occurred_at, recorded_at)
       select gen_random_uuid(), organization_id, environment, id, 'dressing_change', now(), now() from wounds, generate_series(1, ${MOST_CLINICAL_EVENTS})
       where id = '${woundOf(report)}'`,
    );
    await expect(record(woundOf(report), 0, 1)).rejects.toMatchObject({ code: 'wound.events_full' });
  });

  it('gives the reports that it changes further versions, as a photo that comes late, and takes them back when it is withdrawn', async () => {
    const [first, grown] = [await ground.assess(0, 8), await ground.assess(1, 14)];
    expect(await verdictOf(grown.id)).toBe('worsening');
    await ground.takeReportEvents();

    const { event } = await record(woundOf(first), 0, 6);
    expect(await ground.read(grown.id)).toMatchObject({
      version: 2,
      reason: 'recomputed',
      content: { comparison: { course: { verdict: 'unknown' }, reset: { type: 'debridement' }, trend: null } },
    });
    expect((await ground.read(first.id)).version).toBe(1);
    expect(await ground.takeReportEvents()).toHaveLength(1);
    expect((await ground.followUp.wounds.get(ground.tenant, woundOf(first))).clinicalEvents).toMatchObject([
      { id: event.id, type: 'debridement', by: REVIEWER, enteredBy: 'HCP-0042', withdrawal: null },
    ]);

    await withdraw(woundOf(first), event.id);
    await withdraw(woundOf(first), event.id);
    expect(await ground.read(grown.id)).toMatchObject({ version: 3, content: grown.content });
    expect((await ground.followUp.wounds.get(ground.tenant, woundOf(first))).clinicalEvents).toEqual([]);
    const { events } = await ground.within((transaction) =>
      ground.followUp.clinicalEvents.list(transaction, woundOf(first)),
    );
    expect(events).toMatchObject([{ id: event.id, withdrawal: { note: 'The other heel.', by: REVIEWER } }]);
  });

  it('changes no report where it changes no area by itself', async () => {
    const [first, grown] = [await ground.assess(0, 8), await ground.assess(1, 14)];
    await record(woundOf(first), 0, 6, 'compression');
    expect((await ground.read(grown.id)).version).toBe(1);
    const course = await ground.followUp.reader.course(ground.tenant, woundOf(first), NO_PERIOD);
    expect(course.events?.map(({ type }) => type)).toEqual(['compression']);
  });

  it('is known to a photo that is analysed after it', async () => {
    const first = await ground.assess(0, 8);
    await record(woundOf(first), 0, 6);
    const after = await ground.assess(1, 14);
    expect(after).toMatchObject({ version: 1, content: { comparison: { course: { verdict: 'unknown' } } } });
  });

  it('is erased with its patient', async () => {
    const report = await ground.assess(0, 8);
    await record(woundOf(report), 0, 1);
    const count = () =>
      queryDatabase(
        ground.database.url,
        `select count(*)::int as rows from clinical_events where wound_id = '${woundOf(report)}'`,
      );
    expect(await count()).toEqual([{ rows: 1 }]);
    const store = { deleteAll: () => Promise.resolve() } as unknown as ObjectStore;
    const { erasure } = erasureServicesOver(ground.context, store, new PatientDataErasers());
    // An event that a handler may still work on holds an erasure up for a quarter of an hour.
    await queryDatabase(ground.database.url, `delete from outbox_events`);
    await erasure.erase({ door: 'cli', name: 'operator' }, { tenant: ground.tenant, patient: WOUND.patientId! });
    expect(await count()).toEqual([{ rows: 0 }]);
  });

  it('goes with a wound that is merged into another, and leaves with it', async () => {
    const [first, loose] = [await ground.assess(0, 8), await ground.assess(1, 14, { patientId: WOUND.patientId })];
    await record(woundOf(loose), 0, 6);
    const [part, into] = [woundOf(loose), woundOf(first)];
    await ground.within((transaction) => ground.followUp.wounds.merge(transaction, part, into, BY_REVIEWER));
    expect(await verdictOf(loose.id)).toBe('unknown');
    expect((await ground.followUp.wounds.get(ground.tenant, into)).clinicalEvents).toHaveLength(1);
    await ground.within((transaction) => ground.followUp.wounds.unmerge(transaction, part, BY_REVIEWER));
    expect((await ground.followUp.wounds.get(ground.tenant, into)).clinicalEvents).toEqual([]);
  });
});
