import { expectStatus } from '../../support/api-client.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { fieldOf, Hl7Hospital, orderChange, orderMessage } from '../../support/hl7-hospital.js';
import { PATIENT_NUMBERS } from '../../support/intake-resources.js';
import { drawSmallWoundPhoto } from '../../support/wound-photo.js';

interface Item {
  readonly id: string;
  readonly reason: string;
  readonly actions: readonly string[];
  readonly waitsFor: string;
  readonly came: { readonly messageIds: readonly string[]; readonly patientIds: readonly string[] };
}
interface MessageRow {
  readonly state: string;
  readonly replays: number;
}

const announced = (control: string, mrn = 'MRN-1'): string =>
  orderChange('-', 'NW', control, mrn)
    .replace('OMG^O19^OMG_O19', 'ADT^A08^ADT_A01')
    .replace(/\rORC.*$/s, '\r');
const withSecondNumber = (message: string): string => message.replace('^MR|', '^MR~L-9^^^LAB^PI|');

describe('a message that was accepted, and waits for its patient', () => {
  let gateway: SharedGateway;
  let hospital: Hl7Hospital;
  let photo: Buffer;

  beforeAll(async () => {
    gateway = await sharedGateway();
    photo = await drawSmallWoundPhoto({ seed: 1 });
  });
  afterEach(() => hospital?.close());

  const open = async (settings = {}): Promise<void> => {
    hospital = await Hl7Hospital.open(gateway, { unknownPatient: 'hold', ...settings }, { pdf: 'none' });
  };
  const sent = async (message: string): Promise<string> => (await hospital.send(message))!;
  const told = (answer: string) => [fieldOf(answer, 'MSA', 1), fieldOf(answer, 'ERR', 5).split('^')[0]];
  const held = async (): Promise<readonly Item[]> =>
    ((await hospital.client.request('GET', '/api/v1/held')).body as { items: readonly Item[] }).items;
  const heldFor = (reason: string, words = '') =>
    eventually(`it waits: ${reason}`, async () =>
      (await held()).find((item) => item.reason === reason && item.waitsFor.includes(words)),
    );
  const nothingWaits = () => eventually('nothing waits', async () => ((await held()).length === 0 ? true : null));
  const decide = async (id: string, action: string) =>
    expectStatus(200, await hospital.client.request('POST', `/api/v1/held/${id}/resolve`, { json: { action } }));
  const count = async (query: string) =>
    (await hospital.read<{ total: number }>(`${query}${query.includes('?') ? '&' : '?'}_summary=count`)).total;
  const there = (query: string, total: number) =>
    eventually(`${total} ${query}`, async () => ((await count(query)) === total ? true : null));
  const query = <T extends object = object>(sql: string, ...more: readonly unknown[]) =>
    queryDatabase<T>(gateway.databaseUrl, sql, [hospital.organizationId, ...more]);
  const rowOf = async (control: string): Promise<MessageRow> =>
    (
      await query<MessageRow>(
        'select state, replays from hl7_inbound where organization_id = $1 and control_id = $2',
        control,
      )
    )[0]!;
  /** It is with a process that is slow. */
  const stall = (control: string) =>
    query(
      `update hl7_inbound set state = 'received', replays = 1, lease_until = now() + interval '1 hour' where organization_id = $1 and control_id = $2`,
      control,
    );
  const goOn = async (control: string) => {
    await query('update hl7_inbound set lease_until = now() where organization_id = $1 and control_id = $2', control);
    await queryDatabase(gateway.databaseUrl, 'select pg_notify($1, $2)', ['sutura_messages_in', '']);
  };
  const job = async (mrn: string, seed: number) =>
    hospital.client.startJob({
      imageId: await hospital.client.uploadPhoto(await drawSmallWoundPhoto({ seed })),
      subject: { patientId: mrn, patientSystem: PATIENT_NUMBERS },
    });

  it('is held for a person where the patient comes as somebody else, also where conflicts are refused', async () => {
    await open({ onConflict: 'refuse' });
    await sent(orderMessage({ order: 'O-1', photo }));
    await sent(announced('C-2').replace('Beispiel^Änna^^^^^L||19510714', 'Schulz^Bernd^^^^^L||19801231'));
    const item = await heldFor('identity_conflict');
    expect([item.came.messageIds.length, (await rowOf('O-1')).state]).toEqual([1, 'held']);
    // What comes by itself is refused, as the connection says.
    expect(told(await sent(orderMessage({ order: 'O-2', photo })))).toEqual(['AE', 'patient.conflict']);
  });

  it('waits for quota once the patient has come, also where the quota refuses', async () => {
    await open({ quotaPolicy: 'reject' });
    await sent(orderMessage({ order: 'O-1', photo }));
    await query('update organizations set daily_limit_override = 0 where id = $1');
    await sent(announced('C-2'));
    await there('ServiceRequest', 1);
    expect([(await rowOf('O-1')).state, await held()]).toEqual(['processed', []]);
    expect(fieldOf(await sent(orderMessage({ order: 'O-2', photo })), 'MSA', 1)).toBe('AE');
  });

  it('says at once that its order is not known, and stands on the list where it stays unknown, until a person decides', async () => {
    await open();
    const answer = await sent(orderChange('O-7', 'CA', 'C-1'));
    expect(fieldOf(answer, 'MSA', 1)).toBe('AA');
    expect(answer).toMatch(/\rERR\|[^\r]*\|W\|patient\.unknown[^\r]*\rERR\|[^\r]*\|W\|order\.unknown/);
    await sent(announced('C-2'));
    const item = await heldFor('patient_unknown', 'order.unknown');
    expect(item.actions).toEqual(['retry', 'discard']);
    expect(item.came).toMatchObject({ messageIds: [expect.any(String)], patientIds: [expect.any(String)] });
    const { body } = await gateway.admin('GET', '/trace?id=O-7');
    expect(JSON.stringify(body)).toContain('cannot be carried out as it stands');
    // In vain, and then with its order there.
    await decide(item.id, 'retry');
    const again = await eventually('it stands again', async () =>
      (await held()).find(({ id, waitsFor }) => id !== item.id && waitsFor.includes('order.unknown')),
    );
    expect(fieldOf(await sent(orderChange('O-7', 'NW', 'C-3')), 'MSA', 1)).toBe('AA');
    await decide(again.id, 'retry');
    await there('ServiceRequest?status=revoked', 1);
    await nothingWaits();
  });

  it('is discarded alone: who follows once the patient has come is worked off', async () => {
    await open();
    await sent(orderMessage({ order: 'O-1', photo }));
    const [item] = await held();
    // A person has decided, and no process has told of it yet.
    await query(
      `update held_items set settled_at = now(), resolution = '{"action":"discard"}', settled_by = 'Nurse' where organization_id = $1 and id = $2`,
      item!.id,
    );
    await sent(announced('C-2'));
    expect(told(await sent(orderChange('O-2', 'NW', 'C-3')))).toEqual(['AA', '']);
    expect([(await rowOf('C-3')).state, (await rowOf('O-1')).state]).toEqual(['processed', 'held']);
  });

  it('cannot be discarded any more once another follows it, even before its patient was told', async () => {
    await open();
    await sent(orderChange('O-1', 'NW', 'C-1'));
    const [item] = await held();
    await stall('C-1');
    await sent(announced('C-2'));
    // As if nobody had told yet that the patient has come.
    await nothingWaits();
    await query(
      'update held_items set settled_at = null, resolution = null, settled_by = null where organization_id = $1 and id = $2',
      item!.id,
    );
    await query(
      `insert into held_awaited_numbers (organization_id, environment, item_id, system, value)
         select organization_id, environment, $2, system, value from patient_identifiers where organization_id = $1`,
      item!.id,
    );
    expect(told(await sent(orderChange('O-1', 'CA', 'C-3')))[0]).toBe('AA');
    const late = await hospital.client.request('POST', `/api/v1/held/${item!.id}/resolve`, {
      json: { action: 'discard' },
    });
    expect(late.status).toBe(404);
    await goOn('C-1');
    await there('ServiceRequest?status=revoked', 1);
  });

  it('is not overtaken by what names the same patient by fewer numbers, and waits as another item', async () => {
    await open();
    await sent(withSecondNumber(orderChange('O-1', 'NW', 'C-1')));
    await sent(orderChange('O-1', 'CA', 'C-2'));
    expect(await held()).toHaveLength(2);
    await stall('C-1');
    await sent(announced('C-3'));
    await nothingWaits();
    expect((await rowOf('C-2')).state).not.toBe('processed');
    await goOn('C-1');
    await there('ServiceRequest?status=revoked', 1);
    expect(await count('ServiceRequest')).toBe(1);
  });

  it('is not overtaken by what comes when its patient is known by a job alone', async () => {
    await open();
    await sent(orderChange('O-1', 'NW', 'C-1'));
    await stall('C-1');
    await job('MRN-1', 5);
    await nothingWaits();
    expect(told(await sent(orderChange('O-1', 'CA', 'C-2')))[0]).toBe('AA');
    await goOn('C-1');
    await there('ServiceRequest?status=revoked', 1);
  });

  it('opens no record for a second patient of it whom nobody has announced', async () => {
    await open();
    await job('MRN-1', 6);
    const [first, second] = ['MRN-1', 'MRN-2'].map((mrn, at) =>
      orderMessage({ order: `O-${at + 1}`, photo, kind: 'ORU', control: 'C-1', mrn }),
    );
    const both = `${first}${second!.slice(second!.indexOf('\rPID|') + 1).replace('V-90017', 'V-90018')}`;
    expect(told(await sent(both))).toEqual(['AA', 'patient.unknown']);
    expect(await held()).toMatchObject([{ reason: 'patient_unknown', actions: ['accept', 'discard'] }]);
    expect(await count('Media?subject.identifier=MRN-2')).toBe(0);
    await sent(announced('C-2', 'MRN-2'));
    await nothingWaits();
    await eventually('both are worked off', async () => ((await rowOf('C-1')).state === 'processed' ? true : null));
    expect(await count('Patient')).toBe(2);
  });
});
