import { v7 } from 'uuid';
import { AnalysisRequestRepository } from '../../../src/core/analysis/analysis-request.repository.js';
import { JobRepository } from '../../../src/core/analysis/job.repository.js';
import { PatientDataErasers } from '../../../src/core/erasure/patient-data-eraser.js';
import type { RelationKind } from '../../../src/core/followup/wound-relation.js';
import { WoundRepository } from '../../../src/core/followup/wound.repository.js';
import type { ObjectStore } from '../../../src/core/images/object-store.js';
import { OrganizationRepository } from '../../../src/core/organizations/organization.repository.js';
import { QuotaLedger } from '../../../src/core/organizations/quota-ledger.js';
import { ClinicalClock } from '../../../src/core/ports/clinical-clock.js';
import { ReportRepository } from '../../../src/core/report/report.repository.js';
import { AnalysisEvents } from '../../../src/exits/webhooks/events/analysis-events.js';
import { QuotaEvents } from '../../../src/exits/webhooks/events/quota-events.js';
import { WebhookEventReader } from '../../../src/exits/webhooks/events/webhook-event-reader.js';
import { queryDatabase } from '../../support/database-query.js';
import { erasureServicesOver } from '../../support/erasure-services.js';
import { REVIEWER, weekDate, WOUND } from '../../support/follow-up-context.js';
import { drawResult, squareOf } from '../../support/wound-results.js';
import { BY_REVIEWER, FollowUpGround, woundOf } from './follow-up-ground.js';

const A = { ...WOUND, woundId: 'A' };
const B = { ...WOUND, woundId: 'B' };
const C = { ...WOUND, woundId: 'C' };

describe('wounds that grew together or fell apart', () => {
  const ground = FollowUpGround.forSpecs();
  const relate = (kind: RelationKind, wholeId: string, partIds: readonly string[], week: number) =>
    ground.within((transaction) =>
      ground.followUp.relations.relate(transaction, {
        kind,
        wholeId,
        partIds,
        at: weekDate(week),
        note: 'Skin between them is gone.',
        by: REVIEWER,
        enteredBy: 'HCP-0042',
      }),
    );
  const withdraw = (woundRef: string, relationId: string) =>
    ground.within((transaction) =>
      ground.followUp.relations.withdraw(transaction, woundRef, relationId, { note: 'The other leg.', by: REVIEWER }),
    );
  const wound = (woundRef: string) => ground.followUp.wounds.get(ground.tenant, woundRef);
  const comparisonOf = async (reportId: string) => (await ground.read(reportId)).content.comparison;
  /** A and B for three weeks, then A with the area of both. */
  const growTogether = async () => {
    const parts = { a: '', b: '' };
    for (const [week, [a, b]] of [
      [4, 3],
      [4.2, 3.1],
      [4.4, 3.2],
    ].entries()) {
      parts.a = woundOf(await ground.assess(week, a!, A));
      parts.b = woundOf(await ground.assess(week, b!, B));
    }
    const now = await ground.assess(3, 8.2, A);
    return { ...parts, now };
  };

  it('are refused of wounds that are not there, not two, of another patient, closed, or in another order of time', async () => {
    const { a, b } = await growTogether();
    const stranger = woundOf(await ground.assess(0, 2, { patientId: 'MRN-0815', woundId: 'A' }));
    const refusedWith = (detail: RegExp) => ({
      code: 'wound.relation_refused',
      facts: { errors: [{ detail: expect.stringMatching(detail) }] },
    });
    await expect(relate('joined', a, [a, v7()], 3)).rejects.toMatchObject({ code: 'wound.not_found' });
    await expect(relate('joined', a, [a], 3)).rejects.toMatchObject(refusedWith(/two to 10/));
    await expect(relate('joined', a, [b, b], 3)).rejects.toMatchObject(refusedWith(/each once/));
    await expect(relate('joined', a, [a, stranger], 3)).rejects.toMatchObject(refusedWith(/another patient/));
    const nobodys = [woundOf(await ground.assess(0, 2, null)), woundOf(await ground.assess(0, 3, null))] as const;
    await expect(relate('joined', nobodys[0], nobodys, 3)).rejects.toMatchObject(refusedWith(/of nobody/));
    await expect(relate('joined', a, [a, b], 5000)).rejects.toMatchObject({ code: 'capture.future' });
    await expect(relate('joined', a, [a, b], 2)).rejects.toMatchObject(refusedWith(/photo from that moment on/));
    await expect(relate('split', a, [a, b], 3)).rejects.toMatchObject(refusedWith(/photo from before/));
    await relate('joined', a, [a, b], 3);
    await expect(relate('joined', b, [a, b], 3)).rejects.toMatchObject(refusedWith(/is closed/));
    const [c] = [woundOf(await ground.assess(4, 2, C))];
    await expect(relate('split', a, [a, c], 3)).rejects.toMatchObject(refusedWith(/later one/));
    await expect(withdraw(c, v7())).rejects.toMatchObject({ code: 'wound.relation_not_found' });
    await expect(
      ground.within((transaction) => ground.followUp.wounds.merge(transaction, c, b, BY_REVIEWER)),
    ).resolves.toBeDefined();
    await expect(relate('split', a, [a, c], 4)).rejects.toMatchObject({ code: 'wound.merged' });
  });

  it('are compared in sum, and as before once that is taken back', async () => {
    const { a, b, now } = await growTogether();
    expect((await comparisonOf(now.id)).course!.verdict).toBe('worsening');
    const { relation } = await relate('joined', a, [a, b], 3);
    expect(await relate('joined', a, [b, a], 3)).toMatchObject({ relation: { id: relation.id } });
    expect(await comparisonOf(now.id)).toMatchObject({
      course: { verdict: 'unchanged' },
      baseline: { areaCm2: { value: 7 } },
      sinceBaseline: { areaPct: 17.1 },
      relation: { kind: 'joined', wounds: [a, b].sort(), change: { areaPct: 7.9 } },
    });
    expect(await wound(b)).toMatchObject({
      wound: { status: 'closed', closedAt: weekDate(3) },
      course: { verdict: 'ended' },
      events: [{ decision: 'joined', otherWoundId: a, reviewer: REVIEWER }],
    });
    expect((await wound(a)).relations).toMatchObject([{ id: relation.id, partIds: [a, b].sort(), withdrawal: null }]);

    await withdraw(b, relation.id);
    await withdraw(b, relation.id);
    expect((await comparisonOf(now.id)).course!.verdict).toBe('worsening');
    expect(await wound(b)).toMatchObject({
      wound: { status: 'open', closedAt: null },
      course: { verdict: 'unchanged' },
      events: [{ decision: 'joined' }, { decision: 'unjoined' }],
      relations: [{ withdrawal: { note: 'The other leg.' } }],
    });
    expect((await relate('joined', a, [a, b], 3)).relation.id).not.toBe(relation.id);
  });

  it('take one that a person had closed as merged before there were relations', async () => {
    const { a, b } = await growTogether();
    const decidedAt = weekDate(2.5);
    await ground.within((transaction) =>
      ground.followUp.wounds.close(transaction, b, { ...BY_REVIEWER, reason: 'merged', decidedAt }),
    );
    await relate('joined', a, [a, b], 3);
    expect((await wound(b)).events.map(({ decision }) => decision)).toEqual(['closed']);
  });

  it('have a photo that comes late counted in the sum of the wound that it grew into', async () => {
    const { a, b, now } = await growTogether();
    await relate('joined', a, [a, b], 3);
    await ground.assess(2.5, 2.8, B);
    await ground.assess(2.6, 4.4, A);
    await ground.followUp.settleRelatedWounds(ground.tenant);
    expect((await comparisonOf(now.id)).previous).toMatchObject({
      areaCm2: { value: 7.2 },
      sumOf: [{ areaCm2: 2.8 }, { areaCm2: 4.4 }],
    });
  });

  it('are parts that are compared with the whole before, and each by itself from then on', async () => {
    const whole = woundOf(await ground.assess(0, 10, A));
    await ground.assess(1, 8, A);
    const part = await ground.assess(2, 4, A);
    const other = await ground.assess(2, 3.6, C);
    expect((await comparisonOf(part.id)).course!.verdict).toBe('improving');
    await relate('split', whole, [whole, woundOf(other)], 2);
    for (const { id } of [part, other])
      expect(await comparisonOf(id)).toMatchObject({
        course: { verdict: 'unknown', because: [{ what: 'area_after_split', direction: 'reset', from: 8, to: 7.6 }] },
        relation: { kind: 'split', wounds: [whole] },
      });
    const later = await ground.assess(3, 2.4, A);
    expect(later.content.comparison).toMatchObject({ baseline: { areaCm2: { value: 4 } }, relation: { change: null } });
  });

  it('end the wound that fell into others under new numbers, and open it again when that is taken back', async () => {
    const whole = woundOf(await ground.assess(0, 10, A));
    const [one, two] = [woundOf(await ground.assess(1, 4, B)), woundOf(await ground.assess(1, 4, C))];
    const { relation } = await relate('split', whole, [one, two], 1);
    expect(await wound(whole)).toMatchObject({ wound: { status: 'closed' }, course: { verdict: 'ended' } });
    await withdraw(whole, relation.id);
    expect(await wound(whole)).toMatchObject({ wound: { status: 'open' }, events: [{}, { decision: 'unsplit' }] });
  });

  it('are told to webhooks as closed, and as open again when that is taken back', async () => {
    const { a, b } = await growTogether();
    const { relation } = await relate('joined', a, [a, b], 3);
    await withdraw(a, relation.id);
    expect(
      await queryDatabase(
        ground.database.url,
        `select kind from outbox_events where subject_id = '${b}' and kind like 'wound.%' order by sequence`,
      ),
    ).toEqual([{ kind: 'wound.closed' }, { kind: 'wound.reopened' }]);
    const { context } = ground;
    const reader = new WebhookEventReader(
      new AnalysisEvents(
        context.get(JobRepository),
        context.get(AnalysisRequestRepository),
        context.get(ClinicalClock),
      ),
      context.get(ReportRepository),
      context.get(WoundRepository),
      new QuotaEvents(context.get(OrganizationRepository), context.get(QuotaLedger), context.get(ClinicalClock)),
      context.get(ClinicalClock),
    );
    const told = await ground.within((transaction) =>
      reader.read(transaction, { id: b, kind: 'wound.closed', subjectId: b }),
    );
    expect(told).toMatchObject([{ type: 'wound.closed' }, { type: 'wound.opened', data: { reopened: true } }]);
  });

  it('tell nothing of the area in a job’s result, which knows the one number alone', async () => {
    const { a, b } = await growTogether();
    await relate('joined', a, [a, b], 3);
    const job = await ground.followUp.completeJob(ground.tenant, 4, 40, A);
    expect(await ground.followUp.summariser.summarise(job, drawResult(squareOf(40)))).toEqual({
      followUp: null,
      attention: [],
    });
  });

  it('are erased with their patient', async () => {
    const { a, b } = await growTogether();
    await relate('joined', a, [a, b], 3);
    const count = () =>
      queryDatabase(ground.database.url, `select count(*)::int as rows from wound_relations where whole_id = '${a}'`);
    expect(await count()).toEqual([{ rows: 2 }]);
    const store = { deleteAll: () => Promise.resolve() } as unknown as ObjectStore;
    const { erasure } = erasureServicesOver(ground.context, store, new PatientDataErasers());
    await queryDatabase(ground.database.url, `delete from outbox_events`);
    await erasure.erase({ door: 'cli', name: 'operator' }, { tenant: ground.tenant, patient: WOUND.patientId! });
    expect(await count()).toEqual([{ rows: 0 }]);
  });
});
