import { expectStatus } from '../../support/api-client.js';
import { runCommand } from '../../support/command-line.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { eventually } from '../../support/eventually.js';
import { fieldOf, Hl7Hospital } from '../../support/hl7-hospital.js';

const OID = '1.2.3.4.5.6';
const NAMESPACE = 'https://sutura.dev/fhir/sid/hl7v2-authority/HOSP';
const ANNA = '||Beispiel^Anna||19510714|F';

describe('one number of one authority', () => {
  let gateway: SharedGateway;
  let hospital: Hl7Hospital;
  let control = 0;

  beforeAll(async () => {
    gateway = await sharedGateway();
  });
  beforeEach(async () => {
    hospital = await Hl7Hospital.open(gateway);
  });
  afterEach(() => hospital?.close());

  const adt = (numbers: string, rest = ANNA, facility = 'HOSP'): string =>
    [
      `MSH|^~\\&|HIS|${facility}|SUTURA|SUTURA|20260316080000+0100||ADT^A08^ADT_A01|C-${(control += 1)}|T|2.5.1|||||DEU|UNICODE UTF-8`,
      `PID|1||${numbers}${rest}`,
      'PV1|1|I',
      '',
    ].join('\r');
  const tell = async (numbers: string, rest?: string, facility?: string): Promise<string> => {
    const answer = (await hospital.send(adt(numbers, rest, facility)))!;
    return [fieldOf(answer, 'MSA', 1), fieldOf(answer, 'ERR', 4), fieldOf(answer, 'ERR', 5).split('^')[0]]
      .filter((one) => one !== '')
      .join(' ');
  };
  const patients = async (query = ''): Promise<readonly { id: string; name?: { family?: string }[] }[]> => {
    const { entry = [] } = await hospital.read<{ entry?: { resource: { id: string } }[] }>(
      `Patient?active:not=false${query}`,
    );
    return entry.map(({ resource }) => resource);
  };
  const standing = async (): Promise<number> =>
    (await hospital.read<{ total: number }>('Patient?active:not=false&_summary=count')).total;
  /** A command takes most of a second: one is run here, the others are asked for by their routes. */
  const addedByCommand = async (...given: string[]): Promise<{ readonly id: string }> => {
    const words = ['authorities', 'add', ...given, '--org', hospital.organizationId, '--json'];
    const { code, out, err } = await runCommand(words, { DATABASE_URL: gateway.databaseUrl });
    if (code !== 0) throw new Error(err);
    return JSON.parse(out) as { id: string };
  };
  const admin = (method: string, path: string, json?: object) =>
    gateway.admin(method, `/organizations/${hospital.organizationId}/${path}`, json);
  const settled = (id: string, answer: string) => admin('POST', `authority-proposals/${id}/settle`, { answer });
  const held = async () =>
    (
      (await hospital.client.request('GET', '/api/v1/held')).body as {
        items: readonly { id: string; reason: string; actions: string[]; came: { messageIds: string[] } }[];
      }
    ).items;

  it.each([
    [[`SP^^^HOSP&${OID}&ISO^MR`, 'SP^^^HOSP^MR', `SP^^^${OID}^MR`, `SP^^^&${OID}&ISO^MR`, `SP^^^HOSP&${OID}&L^MR`]],
    [[`SP^^^HOSP^MR`, `SP^^^${OID}^MR`, `SP^^^HOSP&${OID}&ISO^MR`]],
    [[`SP^^^${OID}^MR`, 'SP^^^hosp^MR', `SP^^^HOSP&${OID}&ISO^MR`, 'SP^^^HOSP']],
  ])('in whatever order its forms come, it is one patient: %j', async (forms) => {
    for (const form of forms) expect(await tell(form)).toBe('AA');
    expect(await standing()).toBe(1);
    for (const system of [NAMESPACE, `urn:oid:${OID}`])
      expect(await patients(`&identifier=${encodeURIComponent(`${system}|SP`)}`)).toHaveLength(1);
    // By a form that no message of the patient had last.
    const named = `${NAMESPACE.replace('HOSP', 'Hosp')}|SP`;
    const put = await hospital.client.request('PUT', `/fhir/Patient?identifier=${encodeURIComponent(named)}`, {
      json: { resourceType: 'Patient', identifier: [{ system: NAMESPACE.replace('HOSP', 'Hosp'), value: 'SP' }] },
    });
    expect(put.status).toBe(200);
    expect(await standing()).toBe(1);
  });

  it('does not join two OIDs under one name: the second is proposed, with a warning until it is settled', async () => {
    expect(await tell(`SP^^^HOSP&${OID}&ISO^MR`)).toBe('AA');
    expect(await tell('SP^^^HOSP&1.2.3.9&ISO^MR', '||Muster^Max||19600203|M')).toBe('AA W authority.proposed');
    expect(await standing()).toBe(2);
    const { items } = expectStatus(200, await admin('GET', 'authority-proposals')).body;
    const [proposal] = items as { id: string; why: string }[];
    expect(proposal).toMatchObject({ why: 'disagrees' });
    expectStatus(200, await settled(proposal!.id, 'different'));
    await eventually('nobody is warned any more', async () =>
      (await tell('SP^^^HOSP&1.2.3.9&ISO^MR', '||Muster^Max||19600203|M')) === 'AA' ? true : undefined,
    );
  });

  it('of a second facility without an authority waits for one answer, and then goes on', async () => {
    expect(await tell('77', ANNA, 'NORTH')).toBe('AA');
    // Somebody else’s number, and one that nobody has: the facility’s own.
    expect(await tell('77', '||Muster^Max||19600203|M', 'SOUTH')).toBe('AA');
    expect(await tell('78', '||Probe^Pia||19720101|F', 'SOUTH')).toBe('AA');
    expect(await standing()).toBe(3);
    expect(await tell('79', '||Zwei^Zoe||19800101|F', 'NORTH')).toBe('AA');
    expect(await tell('79', '||Zwei^Zoe||19800101|F', 'SOUTH')).toBe('AA W authority.unknown');
    expect(await tell('79', '||Zwei^Zoe||19800101|F', 'SOUTH')).toBe('AA W authority.unknown');
    const [item, ...more] = await held();
    expect(more).toEqual([]);
    expect(item).toMatchObject({ reason: 'authority_unknown', actions: ['same_authority', 'own_authority'] });
    expect(item!.came.messageIds).toHaveLength(2);
    const answer = await hospital.client.request('POST', `/api/v1/held/${item!.id}/resolve`, {
      json: { action: 'own_authority' },
    });
    expect(answer.status).toBe(200);
    await eventually('the messages go on', async () => ((await standing()) === 5 ? true : undefined));
    expect(await tell('79', '||Zwei^Zoe||19800101|F', 'SOUTH')).toBe('AA');
    expect(await standing()).toBe(5);
  });

  it('is one patient’s once a person says that two facilities share it; two people’s records stay two', async () => {
    await tell('77', ANNA, 'NORTH');
    await tell('77', '||Muster^Max||19600203|M', 'SOUTH');
    await tell('79', '||Zwei^Zoe||19800101|F', 'NORTH');
    await tell('79', '||Zwei^Zoe||19800101|F', 'SOUTH');
    const [item] = await held();
    await hospital.client.request('POST', `/api/v1/held/${item!.id}/resolve`, { json: { action: 'same_authority' } });
    const [records] = await eventually('two people have one number now', async () => {
      const items = await held();
      return items.length > 0 && items[0]!.id !== item!.id ? items : undefined;
    });
    expect(records).toMatchObject({ reason: 'authority_unknown', actions: ['same', 'discard'] });
    expect(await standing()).toBe(3);
    expect(await tell('79', '||Zwei^Zoe||19800101|F', 'SOUTH')).toBe('AA');
    // The number is the first facility’s patient’s from now on.
    expect(await tell('77', '||Muster^Max||19600203|M', 'SOUTH')).toBe('AA W patient.conflict');
    expect(await standing()).toBe(3);
  });

  it('joins what had been apart once an operator has it in the table, by every door', async () => {
    await tell('SP^^^HOSP^MR');
    await tell('SP^^^LAB^MR');
    expect(await standing()).toBe(2);
    const uri = 'https://hospital.example/mrn';
    const { id } = await addedByCommand('--namespace', 'HOSP', '--uri', uri, '--default-for', 'door:rest');
    await hospital.client.request('PUT', `/fhir/Patient?identifier=${uri}|SP`, {
      json: { resourceType: 'Patient', identifier: [{ system: `${uri}/`, value: 'SP' }] },
    });
    expect(await standing()).toBe(2);
    // It is no proposal.
    expect((await settled(id, 'same')).body.code).toBe('authority.not_found');
    expect((await admin('DELETE', `authorities/${id}`)).status).toBeLessThan(300);
    expectStatus(201, await admin('POST', 'authorities', { namespace: 'LAB', oid: OID, uri }));
    expect(expectStatus(200, await admin('GET', 'authorities')).body.items).toHaveLength(1);
  });

  it.each([
    'SP^^^&&ISO^MR',
    'SP^^^HOSP&1.02.3&ISO^MR',
    `SP^^^${'N'.repeat(300)}^MR`,
    'SP^^^HOSP&1.2.3.4&ISO^MR^',
    'SP^^^""&""&""^MR',
    'SP^^^1.2^MR',
    'SP^^^HOSP&http://hospital.example/x y&URI^MR',
    'SP^^^HOSP&&&&&^MR',
    'SP^^^\\T\\&1.2.3.4&ISO^MR',
  ])('is answered, whatever stands for its authority: %s', async (number) => {
    expect(['AA', 'AA W authority.proposed', 'AE E value.identifier']).toContain(await tell(number));
  });
});
