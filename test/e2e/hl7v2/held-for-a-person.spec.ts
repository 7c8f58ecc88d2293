import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { eventually } from '../../support/eventually.js';
import { fieldOf, Hl7Hospital, orderMessage, valuesOf } from '../../support/hl7-hospital.js';
import { drawSmallWoundPhoto } from '../../support/wound-photo.js';

interface Item {
  readonly id: string;
  readonly reason: string;
  readonly actions: readonly string[];
  readonly came: { readonly messageIds: readonly string[]; readonly patientIds: readonly string[] };
}

const ANNA = ['Meier^Anna', '19500101'] as const;
const BERND = ['Schulz^Bernd', '19801231'] as const;

describe('what came under the number of somebody else', () => {
  let gateway: SharedGateway;
  let hospital: Hl7Hospital;
  let photos: readonly Buffer[];

  beforeAll(async () => {
    gateway = await sharedGateway();
    photos = await Promise.all([
      drawSmallWoundPhoto({ seed: 1 }),
      drawSmallWoundPhoto({ seed: 2, width: 200 }),
      drawSmallWoundPhoto({ seed: 3, width: 240 }),
    ]);
  });

  beforeEach(async () => {
    hospital = await Hl7Hospital.open(gateway, {}, { pdf: 'none' });
  });
  afterEach(() => hospital?.close());

  const order = (number: string, [name, birth]: readonly [string, string], photo: number): string =>
    orderMessage({ order: number, photo: photos[photo]!, wound: '1' }).replace(
      /\rPID\|[^\r]*/,
      `\rPID|1||4711||${name}||${birth}|F`,
    );
  const sent = async (message: string): Promise<string> => (await hospital.send(message))!;
  const codesOf = (answer: string) => [
    fieldOf(answer, 'MSA', 1),
    fieldOf(answer, 'ERR', 3).split('^')[0],
    fieldOf(answer, 'ERR', 4),
  ];
  const held = async (): Promise<readonly Item[]> =>
    ((await hospital.client.request('GET', '/api/v1/held')).body as { items: readonly Item[] }).items;
  const decide = async (id: string, resolution: object) =>
    hospital.client.request('POST', `/api/v1/held/${id}/resolve`, { json: resolution });
  const count = async (type: string) => (await hospital.read<{ total: number }>(`${type}?_summary=count`)).total;
  const nameOn = (result: string) => fieldOf(result, 'PID', 5).split('^').slice(0, 2).join('^');

  it('is accepted with a warning and waits on the list: nothing is filed, and no result leaves', async () => {
    await sent(order('N-1', ANNA, 0));
    await hospital.result('N-1');
    const answer = await sent(order('S-1', BERND, 1));
    expect(codesOf(answer)).toEqual(['AA', '204', 'W']);
    expect(answer).not.toMatch(/Meier|1950/);
    // Another one of his joins it; one of hers goes on.
    await sent(order('S-2', BERND, 2));
    await sent(order('N-2', ANNA, 2));
    await hospital.result('N-2');
    const items = await held();
    expect(items).toMatchObject([{ reason: 'identity_conflict', actions: ['same', 'another', 'discard'] }]);
    expect(items[0]!.came).toMatchObject({ messageIds: [expect.any(String), expect.any(String)] });
    expect([await count('Patient'), await count('DiagnosticReport'), hospital.resultsOf('S-1')]).toEqual([1, 2, []]);
  });

  it('is not settled by what its action lacks, twice, or with a key of somebody else', async () => {
    await sent(order('N-1', ANNA, 0));
    await sent(order('S-1', BERND, 1));
    const [item] = await held();
    const refused = async (resolution: object) => {
      const { status, body } = await decide(item!.id, resolution);
      return [status, (body as { code: string }).code];
    };
    expect(await refused({ action: 'another' })).toEqual([400, 'request.invalid']);
    expect(await refused({ action: 'another', authority: 'SOUTH' })).toEqual([400, 'request.invalid']);
    expect(await refused({ action: 'same', authority: 'urn:oid:2.999.1' })).toEqual([400, 'request.invalid']);
    expect(await refused({ action: 'link', to: 'Patient/1' })).toEqual([409, 'held.action']);
    const stranger = await gateway.createClient();
    expect((await stranger.request('GET', `/api/v1/held/${item!.id}`)).status).toBe(404);
    expect((await decide(item!.id, { action: 'discard', note: 'Sent by mistake.' })).status).toBe(200);
    expect(await refused({ action: 'discard' })).toEqual([404, 'held.not_found']);
    expect([await held(), await count('Patient')]).toEqual([[], 1]);
  });

  it('is another one’s by a person’s word: each has a record and a result, and later messages follow', async () => {
    await sent(order('N-1', ANNA, 0));
    await sent(order('S-1', BERND, 1));
    const [item] = await held();
    await decide(item!.id, { action: 'another', authority: 'urn:oid:2.999.2' });
    const result = await hospital.result('S-1');
    expect([nameOn(result), valuesOf(result, 'area-change-since-previous')]).toEqual(['Schulz^Bernd', []]);
    expect(codesOf(await sent(order('S-2', BERND, 2)))[0]).toBe('AA');
    expect(nameOn(await hospital.result('S-2'))).toBe('Schulz^Bernd');
    expect([await held(), await count('Patient')]).toEqual([[], 2]);
  });

  it('is the same one’s by a person’s word: the record gets name and birth date, then the message is worked off', async () => {
    await sent(order('N-1', ANNA, 0));
    await sent(order('S-1', BERND, 1));
    const [item] = await held();
    await gateway.admin('POST', `/organizations/${hospital.organizationId}/held/${item!.id}/resolve`, {
      action: 'same',
    });
    expect(nameOn(await hospital.result('S-1'))).toBe('Schulz^Bernd');
    const patients = await hospital.read<{ entry: readonly { resource: object }[] }>('Patient');
    expect(patients.entry).toMatchObject([
      { resource: { birthDate: '1980-12-31', name: [{ family: 'Schulz', given: ['Bernd'] }] } },
    ]);
    // What says otherwise from now on waits in its turn.
    expect(codesOf(await sent(order('N-2', ANNA, 2)))).toEqual(['AA', '204', 'W']);
  });

  it('waits again where the word leads to the same person', async () => {
    await sent(order('N-1', ANNA, 0).replace('4711', '4711^^^N&2.999.1&ISO'));
    await sent(order('S-1', BERND, 1).replace('4711', '4711^^^N&2.999.1&ISO'));
    const [item] = await held();
    await decide(item!.id, { action: 'another', authority: 'urn:oid:2.999.1' });
    const again = await eventually('it waits again', async () => (await held()).find(({ id }) => id !== item!.id));
    await decide(again.id, { action: 'another', authority: 'urn:oid:2.999.2' });
    expect(nameOn(await hospital.result('S-1'))).toBe('Schulz^Bernd');
  });

  it('is told of by the trace of its message', async () => {
    await sent(order('N-1', ANNA, 0));
    await sent(order('S-1', BERND, 1));
    const { body } = await gateway.admin('GET', `/trace?id=S-1`);
    expect(JSON.stringify(body)).toContain('held resolve');
  });
});
