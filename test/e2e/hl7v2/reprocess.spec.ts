import { Buffer } from 'node:buffer';
import { send } from '../../support/api-client.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import {
  fieldOf,
  Hl7Hospital,
  mergeMessage,
  orderChange,
  orderMessage,
  valuesOf,
  type OrderOptions,
} from '../../support/hl7-hospital.js';
import { roundsOf } from '../../support/rounds.js';
import { drawSmallWoundPhoto } from '../../support/wound-photo.js';

interface Range {
  readonly changed: number;
  readonly unchanged: number;
  readonly refused: number;
  readonly skipped: number;
  readonly analyses: number;
  readonly messages: readonly {
    readonly messageId: string;
    readonly outcome: string;
    readonly code: string | null;
    readonly changes: readonly { readonly action: string; readonly type: string; readonly count: number }[];
  }[];
  readonly after: string | null;
}

interface Retried {
  readonly retried: number;
  readonly skipped: readonly { readonly id: string; readonly code: string }[];
  readonly after: string | null;
}

/** Of a ward whose code for the assessment nobody has entered yet. */
const LOCAL = ['39135-9^Wound assessment panel^LN', 'WUND^Wunddoku^L'] as const;
const MENDED = { analysisCodes: ['WUND^L'] };

let gateway: SharedGateway;
let photo: Buffer;
const opened: Hl7Hospital[] = [];

beforeAll(async () => {
  gateway = await sharedGateway();
  photo = await drawSmallWoundPhoto();
});
afterEach(() => Promise.all(opened.splice(0).map((hospital) => hospital.close())));

/** The same picture in bytes of its own: a JPEG ends at its end marker, whatever stands behind. */
function photoOf(name: string): Buffer {
  return Buffer.concat([photo, Buffer.from(name)]);
}

/** A document with its photo, or an edit of it (T08), as of a person with this number. */
function documentMessage(event: 'T02' | 'T08', number: string, mrn: string, words: string, file: Buffer): string {
  const [head, pid] = orderChange('', 'NW', `${number}-${event}`, mrn).split('\r');
  return [
    head!.replace('OMG^O19^OMG_O19', `MDM^${event}^MDM_T02`),
    `EVN|${event}|20260316090000+0100`,
    pid!,
    'PV1|1|O',
    `TXA|1|PN|IM|20260316085500+0100||||||||${number}^EHR|||||AU||AV`,
    `OBX|1|ED|72170-4^Photographic image^LN||EHR^IM^JPEG^Base64^${file.toString('base64')}||||||F`,
    `OBX|2|TX|18842-5^Summary^LN||${words}||||||F`,
    '',
  ].join('\r');
}

/** Name and birth date of a person, as of now. */
function announcement(mrn: string, control: string, family: string): string {
  return orderChange('', 'NW', control, mrn)
    .replace('OMG^O19^OMG_O19', 'ADT^A08^ADT_A01')
    .replace(/\rORC.*/s, '\r')
    .replace('Beispiel^Änna', `${family}^Änna`);
}

/** Findings of a moment, without a photo. */
function findings(mrn: string, control: string, pain: number, at: string): string {
  return orderMessage({
    order: '',
    mrn,
    control,
    kind: 'ORU',
    photo,
    rows: [`NM|pain-nrs^Pain^99SUT|1|${pain}||||||F|||${at}`],
  })
    .split('\r')
    .filter((segment) => !/^OBX\|[13]\|/.test(segment))
    .join('\r');
}

/** A hospital with its listener and what an operator does with it. */
async function openWard(settings: object = {}) {
  const hospital = await Hl7Hospital.open(gateway, settings, { pdf: 'none' });
  opened.push(hospital);
  const [newest] = await queryDatabase<{ id: string; organization_id: string }>(
    gateway.databaseUrl,
    'select id, organization_id from hl7_listeners order by created_at desc, id desc limit 1',
  );
  const { id: listenerId, organization_id: organizationId } = newest!;
  const count = async (sql: string): Promise<number> =>
    Number((await queryDatabase<{ count: string }>(gateway.databaseUrl, sql, [organizationId]))[0]!.count);
  return {
    hospital,
    listenerId,
    organizationId: organizationId!,
    send: async (options: Omit<OrderOptions, 'photo'> & { readonly photo?: Buffer }, local = true) => {
      const text = orderMessage({ photo: photoOf(options.order), ...options });
      return fieldOf((await hospital.send(local ? text.replace(...LOCAL) : text))!, 'MSA', 1);
    },
    tell: async (message: string) => fieldOf((await hospital.send(message))!, 'MSA', 1),
    mend: async (change: object) => {
      const answer = await gateway.admin('PATCH', `/hl7/listeners/${listenerId}`, { settings: change });
      expect(answer.status).toBe(200);
    },
    reprocess: async (body: object = {}): Promise<Range> => {
      const answer = await send('POST', `${gateway.baseUrl}/admin/v1/hl7/reprocess`, {
        key: gateway.adminToken,
        json: { listenerId, ...body },
        timeoutMs: 600_000,
      });
      if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body as unknown as Range;
    },
    /** All refused messages of a cause, done again. */
    again: async (cause: string): Promise<Retried> => {
      const [from, to] = [-3_600_000, 60_000].map((ms) => new Date(Date.now() + ms).toISOString());
      const of = { organizationId, environment: 'test', kind: 'message', subjectId: listenerId, cause };
      const answer = await gateway.admin('POST', '/failures/retry', { ...of, from, to });
      expect(answer.status).toBe(200);
      return answer.body as unknown as Retried;
    },
    painOf: async (mrn: string): Promise<(number | undefined)[]> => {
      const { entry = [] } = await hospital.read<{
        entry?: { resource: { valueInteger?: number; valueQuantity?: { value: number } } }[];
      }>(`Observation?code=pain-nrs&patient.identifier=${mrn}`);
      return entry.map(({ resource }) => resource.valueInteger ?? resource.valueQuantity?.value).sort();
    },
    photos: () => count(`select count(*) from images where organization_id = $1 and status = 'stored'`),
    copies: () =>
      count(
        `select count(*) - count(distinct sha256) as count from images where organization_id = $1 and status = 'stored'`,
      ),
    analyses: () => count('select count(*) from analysis_requests where organization_id = $1'),
    messages: () =>
      queryDatabase<{ id: string; state: string; problems: { readonly code: string }[] }>(
        gateway.databaseUrl,
        'select id, state, problems from hl7_inbound where organization_id = $1 order by id',
        [organizationId],
      ),
  };
}

const told = ({ changed, unchanged, refused, skipped, analyses, messages }: Range) => ({
  changed,
  unchanged,
  refused,
  skipped,
  analyses,
  messages,
});

describe('reading kept messages once more', () => {
  it('is refused for a message that is not there, and for a listener that nobody has', async () => {
    const nobody = '01997f2e-5555-7000-8000-000000000005';
    expect(await gateway.admin('POST', `/hl7/messages/${nobody}/reprocess`, {})).toMatchObject({
      status: 404,
      body: { code: 'hl7.message_not_found' },
    });
    expect((await gateway.admin('POST', '/hl7/reprocess', { listenerId: nobody })).status).toBe(404);
  });

  it('asks for the analyses of orders whose code nobody knew, as its dry run said, once, and keeps no photo twice', async () => {
    const ward = await openWard();
    for (const order of ['A-1', 'A-2']) expect(await ward.send({ order, mrn: order })).toBe('AA');
    expect(await ward.send({ order: 'A-3', mrn: 'A-3' }, false)).toBe('AA');
    await ward.hospital.result('A-3');
    await ward.mend(MENDED);

    const dry = await ward.reprocess({ warned: true, dryRun: true });
    expect([dry.changed, dry.analyses, await ward.analyses()]).toEqual([2, 2, 1]);
    const run = await ward.reprocess({ warned: true });
    expect(told(run)).toEqual(told(dry));
    expect(run.messages[0]!.changes).toEqual([{ action: 'changed', type: 'ServiceRequest', count: 1 }]);
    for (const order of ['A-1', 'A-2']) expect(fieldOf(await ward.hospital.result(order), 'PID', 3)).toContain(order);
    expect([await ward.photos(), await ward.copies(), await ward.analyses()]).toEqual([3, 0, 3]);
    expect((await ward.messages()).map(({ state, problems }) => [state, problems])).toEqual(
      Array.from({ length: 3 }, () => ['processed', []]),
    );

    expect(await ward.reprocess()).toMatchObject({ changed: 0, unchanged: 3, refused: 0, analyses: 0, after: null });
    expect(await ward.photos()).toBe(3);
  });

  it('has photos without an order analysed where the listener wants that by now, and leaves those that were', async () => {
    const ward = await openWard();
    expect(await ward.send({ order: '', mrn: 'B-1', kind: 'ORU', control: 'B-1', photo: photoOf('B-1') })).toBe('AA');
    expect([await ward.photos(), await ward.analyses()]).toEqual([1, 0]);
    await ward.mend({ autoAnalyze: true });
    const dry = await ward.reprocess({ dryRun: true });
    expect(told(await ward.reprocess())).toEqual(told(dry));
    expect(dry.messages[0]!.changes).toEqual([
      { action: 'created', type: 'ServiceRequest', count: 1 },
      { action: 'changed', type: 'Media', count: 1 },
    ]);
    await eventually('the result', () => Promise.resolve(ward.hospital.receiver.messages.length === 1));
    expect(await ward.reprocess()).toMatchObject({ changed: 0, unchanged: 1 });
    expect([await ward.photos(), await ward.copies(), await ward.analyses()]).toEqual([1, 0, 1]);
  });

  it('files a photo under its wound before it is analysed, where the number of the wound is read by now', async () => {
    const ward = await openWard();
    const rows = ['ST|WNR^Wundnummer^L|1|W-77||||||F'];
    for (const [order, local] of [
      ['W-1', true],
      ['W-2', false],
    ] as const)
      expect(await ward.send({ order, mrn: 'W', wound: null, rows }, local)).toBe('AA');
    await ward.hospital.result('W-2');
    await ward.mend({ codes: { 'OBR-4': { 'WUND^L': '39135-9' }, 'OBX-3': { 'WNR^L': 'wound-id' } } });
    expect(await ward.reprocess()).toMatchObject({ analyses: 1, refused: 0 });
    expect(valuesOf(await ward.hospital.result('W-1'), 'wound-id')).toEqual(['W-77']);
    expect(await ward.reprocess()).toMatchObject({ changed: 0 });
  });

  it('makes the order that a photo called by its number, files it under its wound, and lets the late order complete it', async () => {
    const ward = await openWard();
    const rows = ['ST|WNR^Wundnummer^L|1|W-78||||||F'];
    const photoOfOrder = { order: 'L-1', mrn: 'L', kind: 'ORU', control: 'L-1', wound: null, rows } as const;
    expect(await ward.send(photoOfOrder)).toBe('AA');
    expect([await ward.photos(), await ward.analyses()]).toEqual([1, 0]);
    await ward.mend({ codes: { 'OBR-4': { 'WUND^L': '39135-9' }, 'OBX-3': { 'WNR^L': 'wound-id' } } });
    const dry = await ward.reprocess({ dryRun: true });
    expect(told(await ward.reprocess())).toEqual(told(dry));
    expect(dry).toMatchObject({ changed: 1, refused: 0, analyses: 1 });
    expect(valuesOf(await ward.hospital.result('L-1'), 'wound-id')).toEqual(['W-78']);
    const { entry } = await ward.hospital.read<{ entry: { resource: { basedOn: { reference: string }[] } }[] }>(
      'Media',
    );
    expect(entry.map(({ resource }) => resource.basedOn.map(({ reference }) => reference))).toEqual([
      [expect.stringMatching(/^ServiceRequest\//)],
    ]);
    expect(await ward.tell(orderChange('L-1', 'NW', 'L-1-NW', 'L'))).toBe('AA');
    expect(await ward.reprocess()).toMatchObject({ changed: 0, refused: 0, analyses: 0 });
    expect([await ward.photos(), await ward.copies(), await ward.analyses()]).toEqual([1, 0, 1]);
  });

  it('takes over findings that were left out, and none of them twice', async () => {
    const ward = await openWard();
    const rows = ['NM|WTIEFE^Wundtiefe^L|1|0.4|cm^cm^UCUM|||||F', 'NM|pain-nrs^Pain^99SUT|1|3||||||F'];
    expect(await ward.send({ order: 'F-1', mrn: 'F-1', rows }, false)).toBe('AA');
    await ward.mend({ codes: { 'OBX-3': { 'WTIEFE^L': '39127-6' } } });
    const run = await ward.reprocess();
    expect(run.messages.map(({ changes }) => changes)).toEqual([
      [{ action: 'created', type: 'Observation', count: 1 }],
    ]);
    expect(await ward.reprocess()).toMatchObject({ changed: 0, unchanged: 1 });
  });

  it('gives an order the accession number that nobody read, and its photo with that number is analysed', async () => {
    const ward = await openWard();
    const accession = 'A-1^RIS^1.2.3.4.5.11^ISO';
    const ordered = orderChange('N-1', 'NW', 'N-1', 'N-1').replace(
      '39135-9^Wound assessment panel^LN',
      `39135-9^Wound assessment panel^LN${'|'.repeat(14)}${accession}`,
    );
    const taken = orderMessage({ order: '', mrn: 'N-1', kind: 'ORU', control: 'N-2', photo: photoOf('N-1') })
      .replace(...LOCAL)
      .replaceAll('^EHR^1.2.3.4.5.7^ISO', '')
      .replace('\rOBX|1|ED', `\rIPC|${accession}|1|1.2.3|1\rOBX|1|ED`);
    expect([await ward.tell(ordered), await ward.tell(taken)]).toEqual(['AA', 'AA']);
    const analysed = async () => (await ward.hospital.read<{ total?: number }>('Task?status:not=received')).total;
    expect(await analysed()).toBe(0);
    await ward.mend({ accessionField: 'OBR-18' });
    expect(await ward.reprocess()).toMatchObject({ changed: 1, refused: 0 });
    expect(await analysed()).toBe(1);
    expect([await ward.photos(), await ward.copies(), await ward.analyses()]).toEqual([1, 0, 1]);
    expect(await ward.reprocess()).toMatchObject({ changed: 0, refused: 0 });
  });

  it('undoes nothing that came later: a cancelled order stays cancelled, a corrected name corrected', async () => {
    const ward = await openWard();
    expect(await ward.send({ order: 'C-1', mrn: 'C-1' })).toBe('AA');
    expect(await ward.tell(orderChange('C-1', 'CA', 'C-1-CA', 'C-1'))).toBe('AA');
    const corrected = orderChange('C-1', 'CA', 'C-1-A08', 'C-1')
      .replace('OMG^O19^OMG_O19', 'ADT^A08^ADT_A01')
      .replace(/\rORC.*/s, '\r')
      .replace('Beispiel^Änna', 'Muster^Änna');
    expect(await ward.tell(corrected)).toBe('AA');
    await ward.mend(MENDED);
    expect(await ward.reprocess()).toMatchObject({ changed: 0, unchanged: 3, analyses: 0 });
    const patients = await ward.hospital.read<{ entry: { resource: { name: { family: string }[] } }[] }>(
      'Patient?identifier=C-1',
    );
    expect(patients.entry[0]!.resource.name[0]!.family).toBe('Muster');
    expect(await ward.analyses()).toBe(0);
  });

  it('does not bring back a photo that was taken back since', async () => {
    const ward = await openWard();
    expect(await ward.send({ order: '', mrn: 'T-1', kind: 'ORU', control: 'T-1', photo: photoOf('T-1') })).toBe('AA');
    const { entry } = await ward.hospital.read<{ entry: { resource: { id: string; status: string } }[] }>('Media');
    const { resource } = entry[0]!;
    const withdrawn = { ...resource, status: 'entered-in-error' };
    expect((await ward.hospital.client.request('PUT', `/fhir/Media/${resource.id}`, { json: withdrawn })).status).toBe(
      200,
    );
    await ward.mend({ autoAnalyze: true });
    expect(await ward.reprocess()).toMatchObject({ changed: 0, unchanged: 1, analyses: 0 });
    expect([await ward.photos(), await ward.analyses()]).toEqual([1, 0]);
  });

  it('carries out what was refused then, and leaves what is refused today as it was', async () => {
    const ward = await openWard({ unknownPatient: 'reject' });
    expect(await ward.send({ order: 'R-1', mrn: 'R-1' }, false)).toBe('AE');
    const before = await ward.messages();
    expect(await ward.reprocess({ state: 'failed' })).toMatchObject({ changed: 0, refused: 1 });
    expect(await ward.messages()).toEqual(before);
    await ward.mend({ unknownPatient: 'create' });
    const [message] = before;
    expect(await gateway.admin('POST', `/hl7/messages/${message!.id}/reprocess`, {})).toMatchObject({
      status: 200,
      body: { outcome: 'changed', analyses: 1 },
    });
    await ward.hospital.result('R-1');
  });

  it('is what doing all of one cause again does: once by two at once, and a name that was corrected since stays', async () => {
    const ward = await openWard({ unknownPatient: 'reject' });
    expect(await ward.send({ order: 'R-2', mrn: 'R-2' }, false)).toBe('AE');
    const refused = (await ward.messages())[0]!;
    const cause = refused.problems[0]!.code;
    const again = () => ward.again(cause);
    expect(await again()).toMatchObject({ retried: 0, skipped: [{ code: cause }] });
    expect(await ward.messages()).toEqual([refused]);
    await ward.mend({ unknownPatient: 'create' });
    const corrected = orderChange('R-2', 'CA', 'R-2-A08', 'R-2')
      .replace('OMG^O19^OMG_O19', 'ADT^A08^ADT_A01')
      .replace(/\rORC.*/s, '\r')
      .replace('Beispiel^Änna', 'Muster^Änna');
    await eventually('the patient is known', async () => (await ward.tell(corrected)) === 'AA');
    const both = await Promise.all([again(), again()]);
    expect(both.reduce((sum, { retried }) => sum + retried, 0)).toBe(1);
    await ward.hospital.result('R-2');
    expect([await ward.photos(), await ward.copies(), await ward.analyses()]).toEqual([1, 0, 1]);
    const { entry } = await ward.hospital.read<{ entry: { resource: { name: { family: string }[] } }[] }>(
      'Patient?identifier=R-2',
    );
    expect(entry.map(({ resource }) => resource.name[0]!.family)).toEqual(['Muster']);
    expect(await again()).toEqual({ retried: 0, skipped: [], after: null });
  });

  it('leaves a message refused whose findings a later one corrected, and says so; of two that were refused both are kept', async () => {
    const ward = await openWard({ unknownPatient: 'reject' });
    // Not analysed, so that no report states them once more.
    const sendPain = (mrn: string, control: string, value: number) => {
      const rows = [`NM|pain-nrs^Pain^99SUT|1|${value}||||||F`];
      return ward.send({ order: '', mrn, control, kind: 'ORU', photo: photoOf(mrn), rows });
    };
    expect(await sendPain('P-1', 'P-1-A', 3)).toBe('AE');
    expect(await sendPain('P-2', 'P-2-A', 3)).toBe('AE');
    expect(await sendPain('P-2', 'P-2-B', 5)).toBe('AE');
    const refused = await ward.messages();
    await ward.mend({ unknownPatient: 'create' });
    await eventually('it is taken', async () => (await sendPain('P-1', 'P-1-B', 7)) === 'AA');
    expect(await ward.again(refused[0]!.problems[0]!.code)).toEqual({
      retried: 2,
      skipped: [{ id: refused[0]!.id, code: 'finding.said_since' }],
      after: null,
    });
    expect([await ward.painOf('P-1'), await ward.painOf('P-2')]).toEqual([[7], [3, 5]]);
    expect(await ward.copies()).toBe(0);
  });

  it('does what one message of a run needs of another: a document and its edit, a name and its correction, two records and their merge, an order and its end', async () => {
    const ward = await openWard({ unknownPatient: 'reject' });
    const of = 'RUN';
    const refused = [
      documentMessage('T02', 'DOC-1', `${of}-1`, 'Dressing changed.', photoOf('DOC-1')),
      documentMessage('T08', 'DOC-1', `${of}-1`, 'Dressing not changed.', photoOf('DOC-1')),
      orderChange('RUN-O', 'NW', 'RUN-O-NW', `${of}-1`),
      orderChange('RUN-O', 'CA', 'RUN-O-CA', `${of}-1`),
    ];
    for (const message of refused) expect(await ward.tell(message)).toBe('AE');
    const cause = (await ward.messages())[0]!.problems[0]!.code;
    await ward.mend({ unknownPatient: 'create' });
    expect(await ward.again(cause)).toEqual({ retried: 4, skipped: [], after: null });
    const { entry: orders } = await ward.hospital.read<{ entry: { resource: { status: string } }[] }>('ServiceRequest');
    expect(orders.map(({ resource }) => resource.status)).toEqual(['revoked']);
    const { entry: documents } = await ward.hospital.read<{
      entry: { resource: { status: string; meta: { versionId: string } } }[];
    }>(`DocumentReference?patient.identifier=${of}-1`);
    expect(documents.map(({ resource: { status, meta } }) => [status, meta.versionId])).toEqual([['current', '2']]);
  });

  it('writes a name of a run over an older one of it, and joins what it announced; what came between from elsewhere stays', async () => {
    const ward = await openWard({ acceptedMessages: ['ORU^R01'] });
    for (const [mrn, control, family] of [
      ['M-1', 'M-1-A', 'Alt'],
      ['M-1', 'M-1-B', 'Neu'],
      ['M-2', 'M-2-A', 'Neu'],
      ['M-3', 'M-3-A', 'Alt'],
      ['M-3', 'M-3-B', 'Neu'],
    ] as const)
      await ward.tell(announcement(mrn, control, family));
    await ward.tell(mergeMessage('M-1', 'M-2', 'M-JOIN').replace('Beispiel', 'Neu'));
    const kept = await ward.messages();
    await queryDatabase(
      gateway.databaseUrl,
      `update hl7_inbound set state = 'failed', problems = '[{"severity":"error","condition":"207","place":null,"code":"message.sender","text":"-"}]' where organization_id = $1`,
      [ward.organizationId],
    );
    await ward.mend({ acceptedMessages: [] });
    let tries = 0;
    await eventually('M-3 is corrected', async () => {
      const answer = await ward.tell(announcement('M-3', `M-3-${(tries += 1)}`, 'Später'));
      const { entry } = await ward.hospital.read<{ entry?: unknown[] }>('Patient?identifier=M-3');
      return answer === 'AA' && (entry ?? []).length === 1;
    });
    const left = kept.slice(3, 5).map(({ id }) => ({ id, code: 'message.not_carried_out' }));
    expect(await ward.again('message.sender')).toEqual({ retried: kept.length - 2, skipped: left, after: null });
    const nameOf = async (mrn: string): Promise<(string | undefined)[]> => {
      const { entry = [] } = await ward.hospital.read<{
        entry?: { resource: { active?: boolean; name?: { family?: string }[] } }[];
      }>(`Patient?identifier=${mrn}`);
      return entry.map(({ resource }) => resource.name?.[0]?.family);
    };
    expect([await nameOf('M-1'), await nameOf('M-3')]).toEqual([['Neu'], ['Später']]);
    const { entry = [] } = await ward.hospital.read<{ entry?: { resource: { link?: object[] } }[] }>(
      'Patient?identifier=M-1',
    );
    expect(entry.map(({ resource }) => resource.link?.length)).toEqual([1]);
  });

  it('leaves findings without a photo refused where a later message stated them of the same moment, and files those of another', async () => {
    const ward = await openWard({ unknownPatient: 'reject' });
    const [monday, tuesday] = ['20260316080000+0100', '20260317080000+0100'];
    const sent = [
      findings('Q-1', 'Q-1-A', 3, monday),
      findings('Q-1', 'Q-1-B', 4, tuesday),
      findings('Q-2', 'Q-2-A', 3, monday),
      findings('Q-2', 'Q-2-B', 5, monday),
    ];
    for (const message of sent) expect(await ward.tell(message)).toBe('AE');
    const refused = await ward.messages();
    await ward.mend({ unknownPatient: 'create' });
    await eventually('it is taken', async () => (await ward.tell(findings('Q-1', 'Q-1-C', 7, monday))) === 'AA');
    expect(await ward.again(refused[0]!.problems[0]!.code)).toEqual({
      retried: 3,
      skipped: [{ id: refused[0]!.id, code: 'finding.said_since' }],
      after: null,
    });
    expect([await ward.painOf('Q-1'), await ward.painOf('Q-2')]).toEqual([
      [4, 7],
      [3, 5],
    ]);
  });

  it('does the edit of a document, and the end of an order, after what they need was done in an earlier call', async () => {
    const ward = await openWard({ unknownPatient: 'reject' });
    for (const message of [
      documentMessage('T02', 'DOC-2', 'LATE', 'Dressing changed.', photoOf('DOC-2')),
      documentMessage('T08', 'DOC-2', 'LATE', 'Dressing not changed.', photoOf('DOC-2')),
      orderChange('LATE-O', 'NW', 'LATE-O-NW', 'LATE'),
      orderChange('LATE-O', 'CA', 'LATE-O-CA', 'LATE'),
    ])
      expect(await ward.tell(message)).toBe('AE');
    const refused = await ward.messages();
    await ward.mend({ unknownPatient: 'create' });
    for (const at of [0, 2, 1, 3])
      expect(await gateway.admin('POST', `/hl7/messages/${refused[at]!.id}/reprocess`, {})).toMatchObject({
        body: { outcome: 'changed' },
      });
    const { entry: orders } = await ward.hospital.read<{ entry: { resource: { status: string } }[] }>('ServiceRequest');
    expect(orders.map(({ resource }) => resource.status)).toEqual(['revoked']);
  });

  it('leaves an older message that contradicts one which was done before it, in whatever call, and says so', async () => {
    const ward = await openWard({ unknownPatient: 'reject' });
    const at = '20260316080000+0100';
    for (const pain of [3, 7]) expect(await ward.tell(findings('X-1', `X-1-${pain}`, pain, at))).toBe('AE');
    const [older, newer] = await ward.messages();
    const cause = older!.problems[0]!.code;
    await ward.mend({ unknownPatient: 'create' });
    expect(await gateway.admin('POST', `/hl7/messages/${newer!.id}/reprocess`, {})).toMatchObject({
      body: { outcome: 'changed' },
    });
    expect(await ward.again(cause)).toEqual({
      retried: 0,
      skipped: [{ id: older!.id, code: 'finding.said_since' }],
      after: null,
    });
    expect(await ward.painOf('X-1')).toEqual([7]);
  });

  it('leaves an older name that a later message did not say, also where that changed nothing', async () => {
    const ward = await openWard();
    expect(await ward.tell(announcement('Y-1', 'Y-1-A', 'Neu'))).toBe('AA');
    await ward.mend({ acceptedMessages: ['ORU^R01'] });
    const older = announcement('Y-1', 'Y-1-B', 'Alt');
    await eventually('the settings are read anew', async () => {
      await ward.tell(older);
      return (await ward.messages()).some(({ state }) => state === 'ignored');
    });
    await ward.mend({ acceptedMessages: [] });
    const nameOf = async (): Promise<string> =>
      (await ward.hospital.read<{ entry: { resource: { name: { family: string }[] } }[] }>('Patient?identifier=Y-1'))
        .entry[0]!.resource.name[0]!.family;
    let tries = 0;
    await eventually('it is said again', async () => {
      await ward.tell(announcement('Y-1', `Y-1-${(tries += 1)}`, 'Neu'));
      const last = (await ward.messages()).at(-1)!;
      return last.problems.length === 0;
    });
    const { id } = (await ward.messages())[1]!;
    expect(await gateway.admin('POST', `/hl7/messages/${id}/reprocess`, {})).toMatchObject({
      body: { outcome: 'unchanged', problems: [{ code: 'message.not_carried_out', place: { segment: 'PID' } }] },
    });
    expect(await nameOf()).toBe('Neu');
  });

  it('waits for a later message of the same patient that is still to be done', async () => {
    const ward = await openWard({ unknownPatient: 'reject' });
    const at = '20260316080000+0100';
    for (const pain of [3, 7]) expect(await ward.tell(findings('Z-1', `Z-1-${pain}`, pain, at))).toBe('AE');
    const [older, newer] = await ward.messages();
    const cause = older!.problems[0]!.code;
    await ward.mend({ unknownPatient: 'create' });
    const put = `update hl7_inbound set state = $2, lease_until = now() + interval '1 hour' where id = $1`;
    await queryDatabase(gateway.databaseUrl, put, [newer!.id, 'received']);
    expect(await ward.again(cause)).toMatchObject({
      retried: 0,
      skipped: [{ id: older!.id, code: 'hl7.in_progress' }],
    });
    await queryDatabase(gateway.databaseUrl, put, [newer!.id, 'failed']);
    expect(await ward.again(cause)).toMatchObject({ retried: 2, skipped: [] });
    expect(await ward.painOf('Z-1')).toEqual([3, 7]);
  });

  it('is not needed for a replay to keep a photo once: the order asks for what its code means by now', async () => {
    const ward = await openWard();
    expect(await ward.send({ order: 'P-1', mrn: 'P-1' })).toBe('AA');
    await ward.mend(MENDED);
    // The gateway knows settings for some seconds.
    await eventually(
      'the settings are read anew',
      async () => (await ward.send({ order: 'P-2', mrn: 'P-2' })) === 'AA',
    );
    const [first] = await ward.messages();
    const replayed = await gateway.admin('POST', `/hl7/messages/${first!.id}/replay`);
    expect(replayed.status).toBe(204);
    await eventually('the order is analysed', async () => {
      if (ward.hospital.resultsOf('P-1').length > 0) return true;
      const { problems } = (await ward.messages())[0]!;
      if (JSON.stringify(problems).includes('order.exists'))
        await gateway.admin('POST', `/hl7/messages/${first!.id}/replay`);
      return false;
    });
    expect(await ward.copies()).toBe(0);
  });

  it('does so for many: a dry run equal to the run, and no second copy', async () => {
    const ward = await openWard();
    const many = roundsOf(200);
    const sender = await ward.hospital.connect();
    for (let one = 0; one < many; one += 1) {
      const name = `N-${one}`;
      // Every fourth has no order number, and every tenth an image that came before.
      const bytes = photoOf(one % 10 === 9 ? `N-${one - 1}` : name);
      const mrn = one % 10 === 9 ? `N-${one - 1}` : name;
      const kind = one % 4 === 3 ? 'ORU' : 'OMG';
      const text = orderMessage({ order: name, control: name, mrn, kind, photo: bytes }).replace(...LOCAL);
      // A sender repeats what a busy gateway had no time for.
      await eventually(`${name} is taken`, async () => fieldOf((await sender.ask(text))!, 'MSA', 1) === 'AA');
    }
    await sender.destroy();
    const photos = await ward.photos();
    await ward.mend(MENDED);
    const pages = async (dryRun: boolean): Promise<object[]> => {
      const all: object[] = [];
      for (let after: string | undefined, more = true; more;) {
        const page = await ward.reprocess({ dryRun, ...(after === undefined ? {} : { after }) });
        all.push(told(page));
        more = page.after !== null;
        after = page.after ?? undefined;
      }
      return all;
    };
    const dry = await pages(true);
    expect(await pages(false)).toEqual(dry);
    expect(await ward.photos()).toBe(photos);
    expect(await ward.analyses()).toBeGreaterThan(0);
  }, 3_600_000);
});
