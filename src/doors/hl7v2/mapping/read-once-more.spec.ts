import { createHash } from 'node:crypto';
import type { BodyStructure, DocumentReference, Media, Observation, Patient, ServiceRequest } from '@medplum/fhirtypes';
import type { FiledPhoto, StatedFinding } from '../../../standards/hl7v2/records/clinical-records.js';
import type { EarlierHandling, NextStatements } from './reading/earlier-handling.js';
import { timedRecords } from './reading/timed-records.js';
import {
  HL7_FILES,
  hl7Sample,
  hl7SourceOf,
  judgeHl7,
  KnownRecords,
  plannedOf,
  writtenPlace,
  type Judged,
} from '../../../../test/support/hl7-inbound.js';

const MONDAY = '2026-03-16T08:00:00Z';
const SUNDAY = '2026-03-15T08:00:00Z';
const WEDNESDAY = '2026-03-18T08:00:00Z';
const AUTHORITY = 'https://sutura.dev/fhir/sid/hl7v2-authority/';
const DOCUMENT_SYSTEM = `${AUTHORITY}EHR`;

const saidSince = (said: Partial<NextStatements>): NextStatements => ({
  broughtSince: [],
  saidSince: [],
  saidBefore: () => Promise.resolve(new Set()),
  ...said,
});

/** A message that came on Monday, as it is read once more on Friday. */
const earlier = (
  kind: EarlierHandling['kind'] = 'untouched',
  broughtSince: readonly string[] = [],
): EarlierHandling => ({
  kind,
  receivedAt: new Date(MONDAY),
  problems: [],
  pointedImageIds: [],
  standsFrom: new Date(MONDAY),
  later: saidSince({ broughtSince }),
});
const named = ({ problems }: Judged) =>
  problems.map((problem) => `${problem.severity === 'error' ? 'E' : 'W'} ${problem.code} ${writtenPlace(problem)}`);
/** Beside what PID says of a patient of whom that was not known. */
const written = ({ plan }: Judged) =>
  (plan.bundle?.entry ?? [])
    .map(({ request }) => `${request?.method} ${request?.url}`)
    .filter((one) => one !== 'PUT Patient/p1');
const patient = (system: string, value: string, id = 'p1', lastUpdated = SUNDAY): Patient => ({
  resourceType: 'Patient',
  id,
  meta: { versionId: '1', lastUpdated },
  identifier: [{ system, value }],
  name: [{ family: 'Beispiel', given: ['Anna'] }],
  birthDate: '1951-07-14',
});

describe('a document that is read once more', () => {
  const document = (lastUpdated: string, changes: Partial<DocumentReference> = {}): DocumentReference => ({
    resourceType: 'DocumentReference',
    id: 'd1',
    meta: { versionId: '2', lastUpdated },
    status: 'current',
    masterIdentifier: { system: DOCUMENT_SYSTEM, value: 'DOC-881' },
    content: [{ attachment: { url: 'Binary/m1' } }],
    context: { related: [{ reference: 'Media/m1' }] },
    ...changes,
  });
  const photo: Media = { resourceType: 'Media', id: 'm1', status: 'completed', content: { url: 'Binary/m1' } };
  const read = (message: Buffer, known: DocumentReference | null, kind?: EarlierHandling['kind']): Promise<Judged> => {
    const person = patient(`${AUTHORITY}HOSP`, '778812');
    const records = new KnownRecords([person, photo, ...(known === null ? [] : [known])]);
    return judgeHl7(message, hl7SourceOf({ autoAnalyze: true }), records, earlier(kind));
  };
  const edit = hl7Sample('2.3.1/mdm-t02-photo', ['MDM^T02', 'MDM^T08']);
  const cancel = hl7Sample('2.5.1/mdm-t11-cancel');
  const replacement = hl7Sample(
    '2.3.1/mdm-t02-photo',
    ['MDM^T02', 'MDM^T10'],
    ['DOC-881^EHR|', 'DOC-882^EHR|DOC-881^EHR'],
  );

  it('changes none that was made or changed since, nor has its photo analysed, and stays refused', async () => {
    const judged = await read(edit, document(WEDNESDAY));
    expect([written(judged), named(judged)]).toEqual([[], ['E message.not_carried_out TXA^1^12^1']]);
  });

  it.each(['untouched', 'taken'] as const)('brings none back that was cancelled since (%s)', async (kind) => {
    expect(written(await read(edit, document(WEDNESDAY, { status: 'entered-in-error' }), kind))).toEqual([]);
  });

  it('cancels none that was made or changed since, and stays refused', async () => {
    expect(named(await read(cancel, document(WEDNESDAY)))).toEqual(['E message.not_carried_out TXA^1^12^1']);
    const cancelled = await read(cancel, document(WEDNESDAY, { status: 'entered-in-error' }));
    expect([written(cancelled), named(cancelled)]).toEqual([[], []]);
  });

  it('replaces none that was changed since, and stays refused', async () => {
    expect(named(await read(replacement, document(WEDNESDAY)))).toEqual(['E message.not_carried_out TXA^1^13^1']);
  });

  it('is carried out where nothing came later, and where a person replays it alone', async () => {
    for (const [known, kind] of [
      [document(SUNDAY), 'untouched'],
      [document(WEDNESDAY), 'replayed'],
    ] as const) {
      expect(written(await read(edit, known, kind))).toContain('PUT DocumentReference/d1');
      expect(written(await read(cancel, known, kind))).toEqual(['PUT DocumentReference/d1', 'PUT Media/m1']);
      const replaced = plannedOf<DocumentReference>((await read(replacement, known, kind)).plan, 'DocumentReference');
      expect(replaced.map(({ resource }) => resource.status).sort()).toEqual(['current', 'superseded']);
    }
  });
});

describe('an order that is read once more', () => {
  const read = (
    control: string,
    lastUpdated: string,
    status: ServiceRequest['status'] = 'active',
    later = saidSince({}),
  ): Promise<Judged> => {
    const known: ServiceRequest = {
      resourceType: 'ServiceRequest',
      id: 's1',
      meta: { versionId: '1', lastUpdated },
      identifier: [{ system: 'urn:oid:1.2.3.4.5.7', value: 'ORD-55012' }],
      status,
      intent: 'order',
      subject: { reference: 'Patient/p1' },
    };
    const records = new KnownRecords([patient('urn:oid:1.2.3.4.5.6', 'MRN-778812'), known]);
    const message = hl7Sample('2.5.1/omg-o19-cancel', ['ORC|CA|', `ORC|${control}|`]);
    const handled = { ...earlier(), later };
    return judgeHl7(message, hl7SourceOf(), timedRecords(records, handled), handled);
  };

  it.each(['CA', 'HD'])(
    'is not ended or held (%s) where it was made or changed since, and stays refused',
    async (of) => {
      expect(named(await read(of, WEDNESDAY))).toEqual(['E message.not_carried_out ORC^1^1^1']);
    },
  );

  it('has nothing left to do where it was cancelled or held since, and is not released anew', async () => {
    expect(named(await read('CA', WEDNESDAY, 'revoked'))).toEqual([]);
    expect(named(await read('HD', WEDNESDAY, 'on-hold'))).toEqual([]);
    expect(named(await read('HD', WEDNESDAY, 'revoked'))).toEqual([]);
    for (const control of ['CA', 'HD'])
      expect(named(await read(control, WEDNESDAY, 'completed'))).toEqual(['W message.not_carried_out ORC^1^1^1']);
    const released = await read('RL', WEDNESDAY, 'on-hold');
    expect([written(released), named(released)]).toEqual([[], ['W message.not_carried_out ORC^1^1^1']]);
  });

  it('is not ended where a later message said how it is, although that changed nothing', async () => {
    const later = saidSince({ saidSince: ['ServiceRequest'] });
    expect(named(await read('CA', SUNDAY, 'active', later))).toEqual(['E message.not_carried_out ORC^1^1^1']);
  });

  it('is cancelled where an older message made it that was done late', async () => {
    const later = saidSince({ saidBefore: (versions) => Promise.resolve(new Set(versions)) });
    expect(written(await read('CA', WEDNESDAY, 'active', later))).toEqual(['PUT ServiceRequest/s1']);
  });

  it('is cancelled where nothing came later', async () => {
    expect(written(await read('CA', SUNDAY))).toEqual(['PUT ServiceRequest/s1']);
  });
});

describe('a merge that is read once more', () => {
  const merge = hl7Sample('2.5.1/adt-a40-merge');
  const SYSTEM = 'urn:oid:1.2.3.4.5.6';
  const read = (records: readonly Patient[], kind?: EarlierHandling['kind'], message = merge): Promise<Judged> =>
    judgeHl7(message, hl7SourceOf(), new KnownRecords(records), earlier(kind));
  const stands = (at: string) => patient(SYSTEM, 'MRN-778812', 'p1', at);
  const ends = (at: string) => patient(SYSTEM, 'MRN-900001', 'p2', at);
  const left = ['E message.not_carried_out MRG^1^1^1'];

  it('joins no record that was made or changed since, and stays refused', async () => {
    const judged = await read([stands(SUNDAY), ends(WEDNESDAY)]);
    expect([judged.plan.joins, named(judged)]).toEqual([[], left]);
    expect(named(await read([ends(WEDNESDAY)]))).toEqual(expect.arrayContaining(left));
  });

  it('joins none into a record that changed since, where name and birth date do not tell whose it is', async () => {
    const unnamed = hl7Sample('2.5.1/adt-a40-merge', ['|19510714|', '||']);
    expect(named(await read([stands(WEDNESDAY), ends(SUNDAY)], 'untouched', unnamed))).toEqual(left);
    expect(named(await read([{ ...stands(WEDNESDAY), name: [] }, ends(SUNDAY)]))).toEqual(left);
  });

  it('joins what nobody changed, and one that was announced since with the same name and birth date', async () => {
    for (const at of [SUNDAY, WEDNESDAY]) {
      const judged = await read([stands(at), ends(SUNDAY)]);
      expect([judged.plan.joins.length, named(judged)]).toEqual([1, []]);
    }
  });

  it('is carried out where a person replays it alone', async () => {
    expect((await read([stands(WEDNESDAY), ends(WEDNESDAY)], 'replayed')).plan.joins).toHaveLength(1);
  });
});

describe('what a later message said again, so that the record stayed as it was', () => {
  const SYSTEM = 'urn:oid:1.2.3.4.5.6';
  const known = patient(SYSTEM, 'MRN-778812');
  const read = (said: Partial<NextStatements>, person = known): Promise<Judged> =>
    judgeHl7(hl7Sample('2.5.1/adt-a08-update'), hl7SourceOf(), new KnownRecords([person]), {
      ...earlier(),
      later: saidSince(said),
    });
  const namesIn = ({ plan }: Judged) =>
    plannedOf<Patient>(plan, 'Patient').map(({ resource }) => resource.name?.[0]?.family);

  it('is not written over by an older announcement, which says that it was left out', async () => {
    const judged = await read({ saidSince: ['Patient'] });
    expect([namesIn(judged).filter((name) => name !== 'Beispiel'), named(judged)]).toEqual([
      [],
      ['W message.not_carried_out PID^1'],
    ]);
  });

  it('does not hold up what says the same, or what no later message is about', async () => {
    const same = await read({ saidSince: ['Patient'] }, { ...known, name: [{ family: 'Muster', given: ['Anna'] }] });
    expect(named(same)).not.toContain('E message.not_carried_out PID^1');
    const judged = await read({ saidSince: ['ServiceRequest', 'BodyStructure'] });
    expect([namesIn(judged), named(judged)]).toEqual([['Muster'], []]);
  });
});

describe('findings that are read once more', () => {
  const sample = hl7Sample('2.5.1/omg-o19-photo');
  const PHOTO = createHash('sha256').update(HL7_FILES.jpeg!).digest('hex');
  const findings = ({ plan }: Judged) => plannedOf<Observation>(plan, 'Observation').length;
  class Filed extends KnownRecords {
    constructor(
      private readonly found: readonly FiledPhoto[],
      others: readonly (BodyStructure | ServiceRequest)[] = [],
    ) {
      super([patient('urn:oid:1.2.3.4.5.6', 'MRN-778812'), ...others]);
    }
    override filedPhotos(): Promise<readonly FiledPhoto[]> {
      return Promise.resolve(this.found);
    }
  }
  const FILED: FiledPhoto = { id: 'm1', orderIds: [], orderNumbers: [], analysis: 'alive' };
  const read = (broughtSince: readonly string[], found: readonly FiledPhoto[] = [FILED]): Promise<Judged> =>
    judgeHl7(sample, hl7SourceOf(), new Filed(found), earlier('untouched', broughtSince));

  it('stay refused with their message where a later one brought their photo', async () => {
    const judged = await read([PHOTO]);
    expect(findings(judged)).toBe(0);
    expect(named(judged).filter((one) => one.startsWith('E finding.said_since OBX')).length).toBeGreaterThan(0);
  });

  it('are refused with their photo where that came of another patient since', async () => {
    expect(named(await read([PHOTO], []))).toContain('E message.not_carried_out OBX^1^5^1');
  });

  /** As somebody stated one of them since, of the wound that is known by now. */
  const statedBy = async (
    said: Partial<Observation>,
    handled = earlier('untouched'),
    answer?: 'too_many',
  ): Promise<Judged> => {
    const { plan } = await read([]);
    const [finding] = plannedOf<Observation>(plan, 'Observation');
    const [wound] = plannedOf<BodyStructure>(plan, 'BodyStructure');
    const known: BodyStructure = { ...wound!.resource, id: 'w1', patient: { reference: 'Patient/p1' } };
    const [order] = plannedOf<ServiceRequest>(plan, 'ServiceRequest');
    const taken = { ...order!.resource, id: 's1', subject: { reference: 'Patient/p1' } };
    const records = new Filed([FILED], [known, ...(handled.kind === 'taken' ? [taken] : [])]);
    const stated: Observation = { ...finding!.resource, id: 'o1', focus: [{ reference: 'BodyStructure/w1' }], ...said };
    const isSame = ({ codes }: StatedFinding): boolean =>
      codes.some(({ code }) => stated.code.coding?.some((one) => one.code === code));
    records.findingsSince = (_, of) => Promise.resolve(answer ?? (isSame(of) ? [stated] : []));
    return judgeHl7(sample, hl7SourceOf(), timedRecords(records, handled), handled);
  };

  it('are refused where somebody stated them of the same moment since, or of none, or more than can be looked at', async () => {
    const at = plannedOf<Observation>((await read([])).plan, 'Observation')[0]!.resource.effectiveDateTime!;
    for (const effectiveDateTime of [at, new Date(at).toISOString(), at.slice(0, 10), undefined])
      expect(named(await statedBy({ effectiveDateTime } as Partial<Observation>))).toContainEqual(
        expect.stringMatching(/^E finding.said_since OBX/),
      );
    expect(named(await statedBy({}, earlier('untouched'), 'too_many'))).toContainEqual(
      expect.stringMatching(/^E finding.said_since OBX/),
    );
  });

  it('are left out of a message that was taken where somebody stated them since, and the rest of it is done', async () => {
    const place = (await read([])).plan.bundle!.entry!.findIndex(
      ({ resource }) => resource?.resourceType === 'Observation',
    );
    const at = (await read([])).plan.places[place]!;
    const problems = [{ severity: 'warning', condition: '103', code: 'finding.kept', place: at, text: '-' }] as const;
    const left = await statedBy({}, { ...earlier('taken'), problems });
    expect(named(left).filter((one) => one.includes('said_since'))).toEqual([
      `W finding.said_since OBX^${at.sequence}`,
    ]);
    expect([findings(left), named(left).filter((one) => one.startsWith('E'))]).toEqual([0, []]);
  });

  it('are taken over beside those of another moment or wound, and those that an older message stated', async () => {
    const older = saidSince({ saidBefore: (versions) => Promise.resolve(new Set(versions)) });
    for (const judged of [
      await statedBy({ effectiveDateTime: '2026-01-01T08:00:00Z' }),
      await statedBy({ focus: [{ reference: 'BodyStructure/w9' }] }),
      await statedBy({}, { ...earlier('untouched'), later: older }),
    ])
      expect([findings(judged) > 0, named(judged).filter((one) => one.startsWith('E'))]).toEqual([true, []]);
  });

  it('are taken over where none did', async () => {
    expect(findings(await read([]))).toBeGreaterThan(0);
    expect(findings(await read(['00'.repeat(32)]))).toBeGreaterThan(0);
  });
});
