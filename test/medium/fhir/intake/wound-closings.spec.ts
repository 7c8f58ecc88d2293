import type { BodyStructure } from '@medplum/fhirtypes';
import { v7 } from 'uuid';
import { WoundRepository } from '../../../../src/core/followup/wound.repository.js';
import type { Caller } from '../../../../src/core/tenancy/api-key.js';
import { WoundRelationService } from '../../../../src/core/wounds/wound-relation.service.js';
import { WoundService, type WoundDetails } from '../../../../src/core/wounds/wound.service.js';
import { ResourceInteractions } from '../../../../src/doors/fhir/interactions/resource-interactions.js';
import { closingOf } from '../../../../src/doors/fhir/projection/closing-projection.js';
import { EventProjection } from '../../../../src/doors/fhir/projection/event-projection.js';
import { IntakeGround } from '../../../support/intake-ground.js';
import { patientOf, woundOf } from '../../../support/intake-resources.js';

const CLOSING = 'https://sutura.dev/fhir/StructureDefinition/wound-closing';

describe('a BodyStructure that says that its wound is closed', () => {
  let ground: IntakeGround;
  let caller: Caller;
  let patient: string;
  let wound: BodyStructure;

  beforeAll(async () => {
    ground = await IntakeGround.open();
  });
  afterAll(() => ground?.close());
  beforeEach(async () => {
    caller = await ground.createCaller('pro', { timeZone: 'Europe/Berlin' });
    patient = (await ground.post(caller, patientOf('MRN-1'))).resource.id!;
    wound = (await ground.post(caller, woundOf(patient))).resource;
  });

  const closing = (reason: string, closedAt?: string, reopenedAt?: string): Pick<BodyStructure, 'extension'> => ({
    extension: [
      {
        url: CLOSING,
        extension: [
          { url: 'reason', valueCode: reason },
          ...(closedAt === undefined ? [] : [{ url: 'closedAt', valueDateTime: closedAt }]),
          ...(reopenedAt === undefined ? [] : [{ url: 'reopenedAt', valueDateTime: reopenedAt }]),
        ],
      },
    ],
  });
  const put = (said: Pick<BodyStructure, 'extension'>, by = caller) => ground.put(by, { ...wound, ...said });
  const standing = (): Promise<WoundDetails> => ground.get(WoundService).get(caller, wound.id!);
  const shown = async () => closingOf(await ground.find<BodyStructure>(caller, 'BodyStructure', wound.id!));
  const refusal = async (attempt: Promise<unknown>): Promise<string> => {
    try {
      await attempt;
      return 'none';
    } catch (fault) {
      const { code, issues } = fault as { code: string; issues?: readonly { details: string }[] };
      return `${code}: ${issues?.[0]?.details ?? ''}`;
    }
  };

  it('is refused without the right to review, for no reason, and for a month or a time to come', async () => {
    const writer = { ...caller, scopes: ['images:write', 'analysis:read'] } as const;
    expect(await refusal(put(closing('healed'), writer))).toContain('auth.scope');
    expect(await refusal(put(closing('gone')))).toContain('one of healed');
    expect(await refusal(put(closing('healed', '2026-03')))).toContain('State the day');
    expect(await refusal(put(closing('healed', '2096-03-03')))).toContain('capture.future');
    expect((await standing()).wound.status).toBe('open');
  });

  it('closes it with the reason, a day at its end, once', async () => {
    await put(closing('healed', '2026-03-03'));
    expect(await standing()).toMatchObject({
      wound: { status: 'closed', closedAt: new Date('2026-03-03T23:00:00Z') },
      course: { verdict: 'closed' },
      events: [{ decision: 'closed', reason: 'healed' }],
    });
    await put(closing('healed', '2026-03-03'));
    await put({});
    expect((await standing()).events).toHaveLength(1);
    expect(await refusal(put(closing('amputated', '2026-03-04')))).toContain('closed already');
  });

  it('opens it again where that is said', async () => {
    await put(closing('amputated', '2026-03-03'));
    expect((await standing()).course!.verdict).toBe('ended');
    await put(closing('amputated', '2026-03-03', '2026-03-10T08:00:00Z'));
    expect(await standing()).toMatchObject({ wound: { status: 'open' }, course: { verdict: 'reopened' } });
  });

  describe('where it was said over REST', () => {
    const person = { reviewer: { id: 'N-7', name: 'A. Nurse' }, note: null };
    const decide = (decision: 'close' | 'reopen', decidedAt: string, id = wound.id!) =>
      ground.within(caller, async ({ transaction }) => {
        const by = { ...person, decidedAt: new Date(decidedAt) };
        if (decision === 'close') await ground.get(WoundService).close(transaction, id, { ...by, reason: 'healed' });
        else await ground.get(WoundService).reopen(transaction, id, by);
        await ground.get(EventProjection).project(transaction, id);
      });

    it('shows it, and keeps it where a copy without it, or from before the reopening, is written back', async () => {
      await decide('close', '2026-03-03T09:00:00Z');
      const closed = closing('healed', '2026-03-03T09:00:00.000Z').extension![0];
      expect(await shown()).toEqual(closed);
      await put({});
      expect(await shown()).toEqual(closed);

      await decide('reopen', '2026-03-10T09:00:00Z');
      const reopened = closing('healed', '2026-03-03T09:00:00.000Z', '2026-03-10T09:00:00.000Z').extension![0];
      expect(await shown()).toEqual(reopened);
      await put({ extension: [closed!] });
      expect([(await standing()).wound.status, await shown()]).toEqual(['open', reopened]);
    });

    it('leaves what says the same as it was said, and makes no version of it', async () => {
      await put(closing('healed', '2026-03-03'));
      await ground.within(caller, ({ transaction }) => ground.get(EventProjection).project(transaction, wound.id!));
      const { meta } = await ground.find<BodyStructure>(caller, 'BodyStructure', wound.id!);
      expect([meta!.versionId, await shown()]).toEqual(['2', closing('healed', '2026-03-03').extension![0]]);
      await decide('reopen', '2026-03-10T09:00:00Z');
      expect(await shown()).toEqual(closing('healed', '2026-03-03', '2026-03-10T09:00:00.000Z').extension![0]);
      await put(closing('healed', '2026-03-03'));
      expect((await standing()).wound.status).toBe('open');
    });
  });

  describe('where it says what was decided before', () => {
    const decide = (decision: 'close' | 'reopen', decidedAt: string) =>
      ground.within(caller, async ({ transaction }) => {
        const by = { reviewer: null, note: null, decidedAt: new Date(decidedAt), reason: 'healed' as const };
        await ground.get(WoundService)[decision](transaction, wound.id!, by);
        await ground.get(EventProjection).project(transaction, wound.id!);
      });
    const warned = (said: Pick<BodyStructure, 'extension'>, by = caller) =>
      ground.within(by, async (call) => {
        const body = JSON.parse(JSON.stringify({ ...wound, ...said })) as BodyStructure;
        const changing = ground.get(ResourceInteractions).changing;
        const { outcome } = await changing.update(call, 'BodyStructure', wound.id!, body, {});
        return (outcome?.issue ?? []).map(({ diagnostics, details }) => diagnostics ?? details?.text ?? '').join(' ');
      });
    const reader = () => ({ ...caller, scopes: ['images:write', 'analysis:read'] as const });

    it('says that the wound stays open, which was reopened since, until it says when it was closed anew', async () => {
      await put(closing('healed'));
      const { closedAt } = (await standing()).wound;
      await decide('reopen', closedAt!.toISOString());
      expect(await warned(closing('healed'))).toContain('stays open');
      expect((await standing()).wound.status).toBe('open');
    });

    it('closes it by another day, and by no day that was said before', async () => {
      await put(closing('healed', '2026-03-03'));
      await decide('reopen', '2026-03-10T09:00:00Z');
      expect(await warned(closing('healed', '2026-03-03'))).toContain('stays open');
      expect((await standing()).wound.status).toBe('open');
      expect(await warned(closing('healed', '2026-04-03'))).toBe('');
      expect((await standing()).wound.status).toBe('closed');
      expect(await warned(closing('healed', '2026-03-03', '2026-03-10T09:00:00Z'))).toContain('stays closed');
      expect((await standing()).wound.status).toBe('closed');
    });

    it('changes nothing by any copy from before, and refuses none of them to whoever may not close', async () => {
      await decide('close', '2026-03-03T09:00:00Z');
      await decide('reopen', '2026-03-10T09:00:00Z');
      await decide('close', '2026-04-03T09:00:00Z');
      await decide('reopen', '2026-04-10T09:00:00Z');
      const copies = [
        closing('healed'),
        closing('healed', '2026-03-03T09:00:00.000Z'),
        closing('healed', '2026-03-03T10:00:00+01:00'),
        closing('healed', '2026-03-03T09:00:00Z', '2026-03-10T09:00:00Z'),
        closing('healed', '2026-04-03T09:00:00Z'),
        closing('healed', '2026-04-03T09:00:00Z', '2026-04-10T11:00:00+02:00'),
      ];
      for (const copy of copies) await warned(copy, reader());
      const { wound: now, events } = await standing();
      expect([now.status, events.length]).toEqual(['open', 4]);
      expect(await shown()).toEqual(
        closing('healed', '2026-04-03T09:00:00.000Z', '2026-04-10T09:00:00.000Z').extension![0],
      );
    });

    it('shows none that came by a relation which was taken back, and takes none from a copy of then', async () => {
      const relate = (kind: 'joined' | 'split', at: string) =>
        ground.within(caller, async ({ transaction }) => {
          const others = await Promise.all([1, 2].map(async (one) => (await otherWound(`${kind}-${one}`)).id!));
          const wounds =
            kind === 'joined'
              ? { wholeId: others[0]!, partIds: [wound.id!, others[1]!] }
              : { wholeId: wound.id!, partIds: others };
          const stated = { kind, ...wounds, at: new Date(at), note: null, by: null };
          return (await ground.get(WoundRelationService).relate(transaction, stated)).relation.id;
        });
      const otherWound = async (value: string) => (await ground.post(caller, woundOf(patient, value))).resource;
      for (const [kind, reason, at] of [
        ['joined', 'merged', '2026-03-03T09:00:00.000Z'],
        ['split', 'other', '2026-03-04T09:00:00.000Z'],
      ] as const) {
        const relation = await relate(kind, at);
        await ground.relay();
        const copy = closing(reason, at);
        expect(await shown()).toEqual(copy.extension![0]);
        await ground.within(caller, ({ transaction }) =>
          ground.get(WoundRelationService).withdraw(transaction, wound.id!, relation, { note: null, by: null }),
        );
        await ground.relay();
        expect(await shown()).toBeUndefined();
        expect(await warned(copy, reader())).toContain('stays open');
        expect([(await standing()).wound.status, await shown()]).toEqual(['open', undefined]);
      }
    });
  });

  it('is described for the first time after it was closed, and shows that', async () => {
    const id = await ground.within(caller, async ({ transaction }) => {
      const known = await ground.get(WoundRepository).find(transaction, wound.id!);
      const key = { patientId: patient, woundIdSystem: known!.woundIdSystem, woundId: 'W-9' };
      const fresh = { ...known!, ...key, id: v7() };
      await ground.get(WoundRepository).resolve(transaction, key, fresh);
      const decided = { reviewer: null, note: null, decidedAt: new Date('2026-03-03T09:00:00Z') };
      await ground.get(WoundService).close(transaction, fresh.id, { ...decided, reason: 'healed' });
      return fresh.id;
    });
    const writer = { ...caller, scopes: ['images:write', 'analysis:read'] as const };
    const { resource } = await ground.post(writer, woundOf(patient, 'W-9'));
    expect(resource.id).toBe(id);
    expect(closingOf(resource)).toEqual(closing('healed', '2026-03-03T09:00:00.000Z').extension![0]);
    expect((await ground.get(WoundService).get(caller, id)).events).toHaveLength(1);
  });

  it('may be the first that is heard of it', async () => {
    const { resource } = await ground.post(caller, { ...woundOf(patient, 'W-2'), ...closing('transferred') });
    expect(await ground.get(WoundService).get(caller, resource.id!)).toMatchObject({
      wound: { status: 'closed' },
      course: { verdict: 'ended' },
    });
  });
});
