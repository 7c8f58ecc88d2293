import type { BodyStructure, Extension } from '@medplum/fhirtypes';
import type { RelationKind } from '../../../../src/core/followup/wound-relation.js';
import type { Caller } from '../../../../src/core/tenancy/api-key.js';
import { WoundRelationService } from '../../../../src/core/wounds/wound-relation.service.js';
import { WoundService } from '../../../../src/core/wounds/wound.service.js';
import { ResourceInteractions } from '../../../../src/doors/fhir/interactions/resource-interactions.js';
import { IntakeGround } from '../../../support/intake-ground.js';
import { patientOf, woundOf } from '../../../support/intake-resources.js';

const RELATION = 'https://sutura.dev/fhir/StructureDefinition/wound-relation';

describe('a BodyStructure that says of which wounds it is made', () => {
  let ground: IntakeGround;
  let caller: Caller;
  let patient: string;
  let wounds: BodyStructure[];

  beforeAll(async () => {
    ground = await IntakeGround.open();
  });
  afterAll(() => ground?.close());
  beforeEach(async () => {
    caller = await ground.createCaller('pro', { timeZone: 'Europe/Berlin' });
    patient = (await ground.post(caller, patientOf('MRN-1'))).resource.id!;
    wounds = [];
    for (const number of ['A', 'B', 'C']) wounds.push((await ground.post(caller, woundOf(patient, number))).resource);
  });

  const id = (at: number) => wounds[at]!.id!;
  const relation = (
    kind: string,
    parts: readonly string[],
    at: string,
    more: readonly Extension[] = [],
  ): Extension => ({
    url: RELATION,
    extension: [
      { url: 'kind', valueCode: kind },
      ...parts.map((part) => ({ url: 'part', valueReference: { reference: `BodyStructure/${part}` } })),
      { url: 'at', valueDateTime: at },
      ...more,
    ],
  });
  const say = (whole: number, extension: readonly Extension[], by = caller) =>
    ground.put(by, { ...wounds[whole]!, ...(extension.length === 0 ? {} : { extension: [...extension] }) });
  const said = async (whole: number) =>
    ((await ground.find<BodyStructure>(caller, 'BodyStructure', id(whole))).extension ?? []).filter(
      ({ url }) => url === RELATION,
    );
  const standing = async (at: number) => {
    const { wound, relations } = await ground.get(WoundService).get(caller, id(at));
    return { status: wound.status, relations };
  };
  /** As over REST. */
  const relate = (kind: RelationKind, whole: number, parts: readonly number[], at: string) =>
    ground.within(caller, ({ transaction }) =>
      ground.get(WoundRelationService).relate(transaction, {
        kind,
        wholeId: id(whole),
        partIds: parts.map(id),
        at: new Date(at),
        note: null,
        by: null,
      }),
    );
  const refusal = async (attempt: Promise<unknown>): Promise<string> => {
    try {
      await attempt;
      return 'none';
    } catch (fault) {
      const { code, issues } = fault as { code: string; issues?: { expression?: string; details: string }[] };
      return `${code} ${issues?.[0]?.expression ?? ''}: ${issues?.[0]?.details ?? ''}`;
    }
  };

  it('is refused with its place: of no kind, one wound, another patient’s, a month, a time to come, and without the right', async () => {
    const other = (await ground.post(caller, patientOf('MRN-2'))).resource.id!;
    const strange = (await ground.post(caller, woundOf(other))).resource.id!;
    const both = [id(0), id(1)];
    const writer = { ...caller, scopes: ['images:write', 'analysis:read'] } as const;
    expect(await refusal(say(2, [relation('merged', both, '2026-03-03')]))).not.toContain('none');
    expect(await refusal(say(2, [relation('joined', [id(0)], '2026-03-03')]))).not.toContain('none');
    expect(await refusal(say(2, [relation('joined', [id(0), strange], '2026-03-03')]))).toContain('another patient’s');
    expect(await refusal(say(2, [relation('joined', both, '2026-03')]))).toContain('State the day');
    expect(await refusal(say(2, [relation('joined', both, '2096-03-03')]))).toContain(
      'capture.future BodyStructure.extension[0]',
    );
    expect(await refusal(say(2, [relation('joined', both, '2026-03-03')], writer))).toContain('auth.scope');
    const never = [{ url: 'takenBack', valueBoolean: true }];
    expect(await refusal(say(2, [relation('joined', both, '2026-03-03', never)]))).toContain('No such relation');
    expect((await standing(2)).relations).toEqual([]);
  });

  it('is refused as over REST where a wound is closed, in the words that are said there', async () => {
    await ground.within(caller, ({ transaction }) =>
      ground.get(WoundService).close(transaction, id(0), {
        reason: 'healed',
        decidedAt: new Date('2026-03-01T00:00:00Z'),
        reviewer: null,
        note: null,
        enteredBy: undefined,
      }),
    );
    expect(await refusal(say(2, [relation('joined', [id(0), id(1)], '2026-03-03')]))).toBe(
      'wound.relation_refused BodyStructure.extension[0]: The relation has a wound that is closed; reopen it first, if that was wrong.',
    );
  });

  it('joins them once, ends the parts, and keeps who saw it', async () => {
    const by = { url: 'by', valueReference: { identifier: { value: 'HCP-0042' }, display: 'Example Reviewer' } };
    const note = { url: 'note', valueString: 'The bridge is gone.' };
    const told = relation('joined', [id(0), id(1)], '2026-03-03', [note, by]);
    await say(2, [told]);
    await say(2, [told]);
    await say(2, []);
    expect(await standing(2)).toMatchObject({
      status: 'open',
      relations: [
        {
          kind: 'joined',
          wholeId: id(2),
          at: new Date('2026-03-02T23:00:00Z'),
          note: 'The bridge is gone.',
          by: { id: 'HCP-0042', name: 'Example Reviewer' },
        },
      ],
    });
    expect([(await standing(0)).status, (await standing(1)).status]).toEqual(['closed', 'closed']);
    await ground.relay();
    expect(await said(2)).toEqual([told]);
  });

  it('splits one that goes on under its number, in one transaction with its new part', async () => {
    const place = 'urn:uuid:0199d0a1-4a00-7b10-8a01-00000000abcd';
    const told = relation('split', [id(0)], '2026-03-03T09:00:00+01:00');
    told.extension!.splice(2, 0, { url: 'part', valueReference: { reference: place } });
    await ground.transact(caller, {
      resourceType: 'Bundle',
      type: 'transaction',
      entry: [
        { fullUrl: place, resource: woundOf(patient, 'D'), request: { method: 'POST', url: 'BodyStructure' } },
        {
          resource: { ...wounds[0]!, extension: [told] },
          request: { method: 'PUT', url: `BodyStructure/${id(0)}` },
        },
      ],
    });
    const { status, relations } = await standing(0);
    expect([status, relations.map(({ kind, partIds }) => [kind, partIds.length, partIds.includes(id(0))])]).toEqual([
      'open',
      [['split', 2, true]],
    ]);
  });

  it('shows what was said over REST, and what was taken back there no longer', async () => {
    const { relation: made } = await relate('split', 0, [0, 1], '2026-03-03T08:00:00Z');
    await ground.relay();
    const shown = await said(0);
    expect(shown).toHaveLength(1);
    expect(shown[0]!.extension).toContainEqual({ url: 'at', valueDateTime: '2026-03-03T08:00:00.000Z' });
    await say(0, shown);
    expect((await standing(0)).relations).toHaveLength(1);
    await ground.within(caller, ({ transaction }) =>
      ground.get(WoundRelationService).withdraw(transaction, id(0), made.id, { note: null, by: null }),
    );
    await ground.relay();
    expect(await said(0)).toEqual([]);
    // An older copy comes back.
    await say(0, shown);
    expect(await said(0)).toEqual([]);
    expect((await standing(0)).relations.filter(({ withdrawal }) => withdrawal === null)).toEqual([]);
  });

  it('is taken back where that is said, and the parts are open again', async () => {
    const told = relation('joined', [id(0), id(1)], '2026-03-03');
    await say(2, [told]);
    await say(2, [relation('joined', [id(1), id(0)], '2026-03-03', [{ url: 'takenBack', valueBoolean: true }])]);
    expect([(await standing(0)).status, (await standing(1)).status]).toEqual(['open', 'open']);
    await ground.relay();
    expect(await said(2)).toEqual([]);
  });

  describe('where it is corrected', () => {
    const takenBack = { url: 'takenBack', valueBoolean: true };
    const both = () => [id(0), id(1)];
    const standingOnes = async () => (await standing(2)).relations.filter(({ withdrawal }) => withdrawal === null);

    it('means the day that it says, and not the day after that', async () => {
      await say(2, [relation('joined', both(), '2026-03-10')]);
      expect(await refusal(say(2, [relation('joined', both(), '2026-03-09', [takenBack])]))).toContain(
        'No such relation',
      );
      expect(await standingOnes()).toHaveLength(1);
    });

    it('is of the day before from now on, said at once or later', async () => {
      await say(2, [relation('joined', both(), '2026-03-10')]);
      const right = relation('joined', both(), '2026-03-09');
      await say(2, [right, relation('joined', both(), '2026-03-10', [takenBack])]);
      expect(await standingOnes()).toMatchObject([{ at: new Date('2026-03-08T23:00:00Z') }]);
      await ground.relay();
      expect(await said(2)).toEqual([right]);
      await say(2, [relation('joined', both(), '2026-03-09', [takenBack])]);
      await say(2, [relation('joined', both(), '2026-03-08')]);
      expect(await standingOnes()).toMatchObject([{ at: new Date('2026-03-07T23:00:00Z') }]);
    });

    it('warns of a relation that is taken back beside it', async () => {
      await say(2, [relation('joined', both(), '2026-03-10')]);
      const next = [relation('joined', both(), '2026-03-10', [takenBack]), relation('joined', both(), '2026-03-10')];
      const answer = await ground.within(caller, (call) =>
        ground
          .get(ResourceInteractions)
          .changing.update(
            call,
            'BodyStructure',
            id(2),
            JSON.parse(JSON.stringify({ ...wounds[2]!, extension: next })),
            {},
          ),
      );
      expect(JSON.stringify(answer.outcome)).toContain('was taken back');
      expect(await standingOnes()).toEqual([]);
    });

    it('is not taken back by whoever had stated it, whose name comes back with it', async () => {
      const by = { url: 'by', valueReference: { identifier: { value: 'HCP-0042' }, display: 'Example Reviewer' } };
      const note = { url: 'note', valueString: 'The bridge is gone.' };
      await say(2, [relation('joined', both(), '2026-03-10', [note, by])]);
      const [shown] = await said(2);
      await say(2, [{ ...shown!, extension: [...shown!.extension!, takenBack] }]);
      expect((await standing(2)).relations).toMatchObject([{ withdrawal: { by: null, note: null } }]);
    });

    it('is told with others in any order', async () => {
      const fourth = (await ground.post(caller, woundOf(patient, 'D'))).resource.id!;
      await say(2, [relation('split', [id(2), fourth], '2026-03-05'), relation('joined', both(), '2026-03-03')]);
      expect((await standing(2)).relations.map(({ kind }) => kind).sort()).toEqual(['joined', 'split']);
    });
  });
});
