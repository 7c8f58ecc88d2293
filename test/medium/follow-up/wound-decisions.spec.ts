import { v7 } from 'uuid';
import { REVIEWER, weekDate, WOUND } from '../../support/follow-up-context.js';
import { BY_REVIEWER, FollowUpGround, woundOf } from './follow-up-ground.js';

describe('wounds, by a person’s decision', () => {
  const ground = FollowUpGround.forSpecs();

  it('opens an unlinked wound where none is named, with the patient’s wounds of that site and side as candidates', async () => {
    const heel = { bodySite: { code: '84607009' }, laterality: 'left' as const };
    const known = await ground.assess(0, 9, { ...WOUND, ...heel });
    await ground.assess(0, 2, { patientId: WOUND.patientId, woundId: 'W2', ...heel, laterality: 'right' });
    await ground.assess(0, 2, { patientId: 'MRN-9', woundId: 'W1', ...heel });
    const loose = await ground.assess(1, 7, { patientId: WOUND.patientId, ...heel });
    const { wound, candidates } = await ground.followUp.wounds.get(ground.tenant, woundOf(loose));
    expect(wound).toMatchObject({ woundId: null, patient: { value: WOUND.patientId } });
    expect(candidates.map(({ id }) => id)).toEqual([woundOf(known)]);
    expect(loose.content.comparison.previous).toBeNull();
  });

  it('merges two wounds by a person’s word into one series, and takes them apart again', async () => {
    const [first, loose, last] = [
      await ground.assess(0, 9),
      await ground.assess(1, 7, { patientId: WOUND.patientId }),
      await ground.assess(2, 6),
    ];
    const merge = (from: string, into: string) =>
      ground.within((transaction) => ground.followUp.wounds.merge(transaction, from, into, BY_REVIEWER));
    const other = await ground.assess(0, 2, { patientId: 'MRN-9' });
    await expect(merge(woundOf(other), woundOf(first))).rejects.toMatchObject({ code: 'wound.merge_refused' });
    await expect(merge(woundOf(first), woundOf(first))).rejects.toMatchObject({ code: 'wound.merge_refused' });
    await expect(merge(v7(), woundOf(first))).rejects.toMatchObject({ code: 'wound.not_found' });

    const merged = await merge(woundOf(loose), woundOf(first));
    expect(merged).toMatchObject({
      wound: { mergedInto: woundOf(first) },
      candidates: [],
      events: [{ decision: 'merged', reviewer: REVIEWER }],
    });
    expect(await ground.areasOf(woundOf(loose))).toEqual([9, 7, 6]);
    expect(await ground.read(loose.id)).toMatchObject({
      version: 2,
      content: {
        subject: { woundRef: woundOf(first), woundId: 'W1' },
        comparison: { previous: { reportId: first.id } },
      },
    });
    expect((await ground.read(last.id)).content.comparison.previous?.reportId).toBe(loose.id);
    expect((await merge(woundOf(loose), woundOf(first))).events).toHaveLength(1);
    await expect(merge(woundOf(first), woundOf(loose))).rejects.toMatchObject({ code: 'wound.merge_refused' });

    await ground.within((transaction) => ground.followUp.wounds.unmerge(transaction, woundOf(loose), BY_REVIEWER));
    expect(await ground.areasOf(woundOf(first))).toEqual([9, 6]);
    expect((await ground.read(loose.id)).content).toEqual(loose.content);
    await expect(
      ground.within((transaction) => ground.followUp.wounds.unmerge(transaction, woundOf(loose), BY_REVIEWER)),
    ).rejects.toMatchObject({ code: 'wound.not_merged' });
  });

  it('refuses to merge two wounds that were there on one day', async () => {
    const [first, other] = [await ground.assess(0, 9), await ground.assess(0, 2, { ...WOUND, woundId: 'W2' })];
    const merge = (from: string, into: string) =>
      ground.within((transaction) => ground.followUp.wounds.merge(transaction, from, into, BY_REVIEWER));
    await expect(merge(woundOf(other), woundOf(first))).rejects.toMatchObject({ code: 'wound.two_at_once' });
    expect(await ground.areasOf(woundOf(first))).toEqual([9]);
  });

  it('refuses to close or reopen a wound that was merged into another, until it is taken out again', async () => {
    const [first, loose] = [await ground.assess(0, 9), await ground.assess(1, 7, { patientId: WOUND.patientId })];
    const part = woundOf(loose);
    const decide = (decision: 'close' | 'reopen' | 'unmerge') =>
      ground.within((transaction) => ground.followUp.wounds[decision](transaction, part, BY_REVIEWER));
    await ground.within((transaction) => ground.followUp.wounds.merge(transaction, part, woundOf(first), BY_REVIEWER));
    await expect(decide('close')).rejects.toMatchObject({ code: 'wound.merged' });
    await expect(decide('reopen')).rejects.toMatchObject({ code: 'wound.merged' });
    await decide('unmerge');
    expect((await decide('close')).wound.status).toBe('closed');
  });

  it('closes and reopens a wound by a person’s word alone: a later photo is filed and leaves it closed', async () => {
    const report = await ground.assess(0, 9);
    const by = { ...BY_REVIEWER, note: 'Epithelialised.' };
    await ground.within((transaction) => ground.followUp.wounds.close(transaction, woundOf(report), by));
    await ground.assess(1, 0.2);
    const closed = await ground.followUp.wounds.get(ground.tenant, woundOf(report));
    expect(closed.wound).toMatchObject({ status: 'closed', closedAt: expect.any(Date) });
    expect(await ground.areasOf(woundOf(report))).toEqual([9, 0.2]);
    await ground.within((transaction) => ground.followUp.wounds.reopen(transaction, woundOf(report), by));
    const { wound, events } = await ground.followUp.wounds.get(ground.tenant, woundOf(report));
    expect(wound).toMatchObject({ status: 'open', closedAt: null });
    expect(events.map(({ decision }) => decision)).toEqual(['closed', 'reopened']);
  });

  it('closes a wound no later than now and no earlier than the decision before, and begins anew after it', async () => {
    const first = await ground.assess(0, 4);
    const after = await ground.assess(4, 1);
    const wound = woundOf(first);
    const decide = (decision: 'close' | 'reopen', decidedAt: Date) =>
      ground.within((transaction) =>
        ground.followUp.wounds[decision](transaction, wound, { ...BY_REVIEWER, decidedAt }),
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
    expect(await ground.read(first.id)).toMatchObject({
      version: 1,
      content: { comparison: { closure: null } },
    });
    expect((await ground.read(after.id)).content).toMatchObject({
      comparison: { closure, previousAssessment: { reportId: first.id }, previous: null },
      flags: [{ code: 'reopened', value: 14 }],
    });
  });
});
