import { cli } from '../../support/cli.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { eventually } from '../../support/eventually.js';
import { fieldOf, Hl7Hospital } from '../../support/hl7-hospital.js';

const OID = '1.2.3.4.5.6';
const NAMESPACE = 'https://sutura.dev/fhir/sid/hl7v2-authority/HOSP';
const ANNA = '||Beispiel^Anna||19510714|F';

describe('one number of one authority', () => {
  let gateway: Gateway;
  let hospital: Hl7Hospital;
  let control = 0;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway?.stop());
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
  const authorities = async (...given: string[]) =>
    JSON.parse(await cli(gateway, ['authorities', ...given, '--org', hospital.organizationId, '--json'])) as unknown;
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
    const put = await hospital.client.request('PUT', `/fhir/Patient?identifier=urn:oid:${OID}|SP`, {
      json: { resourceType: 'Patient', identifier: [{ system: `URN:OID:${OID}`, value: 'SP' }] },
    });
    expect(put.status).toBe(200);
    expect(await standing()).toBe(1);
  });

  it('does not join two OIDs under one name: the second is proposed, with a warning until it is settled', async () => {
    expect(await tell(`SP^^^HOSP&${OID}&ISO^MR`)).toBe('AA');
    expect(await tell('SP^^^HOSP&1.2.3.9&ISO^MR', '||Muster^Max||19600203|M')).toBe('AA W authority.proposed');
    expect(await standing()).toBe(2);
    const [proposal] = (await authorities('proposals')) as { id: string; why: string }[];
    expect(proposal).toMatchObject({ why: 'disagrees' });
    await authorities('settle', '--id', proposal!.id, '--answer', 'different');
    await eventually('nobody is warned any more', async () =>
      (await tell('SP^^^HOSP&1.2.3.9&ISO^MR', '||Muster^Max||19600203|M')) === 'AA' ? true : undefined,
    );
  });
});
