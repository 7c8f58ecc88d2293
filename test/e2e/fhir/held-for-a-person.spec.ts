import type { Bundle, Patient } from '@medplum/fhirtypes';
import type { ApiClient } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';

type Person = readonly [family: string, given: string, birthDate: string];

const ANNA: Person = ['Meier', 'Anna', '1950-01-01'];
const BERND: Person = ['Schulz', 'Bernd', '1980-12-31'];
const CARLA: Person = ['Klein', 'Carla', '1970-05-05'];

/** One part of a FHIRPath Patch. */
const replaced = (path: string, value: object) => ({
  name: 'operation',
  part: [
    { name: 'type', valueCode: 'replace' },
    { name: 'path', valueString: path },
    { name: 'value', ...value },
  ],
});

describe('a request that would make a patient somebody else', () => {
  let gateway: SharedGateway;
  let client: ApiClient;
  let id: string;

  beforeAll(async () => {
    gateway = await sharedGateway();
  });

  beforeEach(async () => {
    client = await gateway.createClient();
    const made = await eventually('the door is open', async () => {
      const answer = await ask('POST', 'Patient', patient(ANNA));
      return answer.status === 201 ? answer : null;
    });
    id = (made.body as { id: string }).id;
  });

  const patient = ([family, given, birthDate]: Person): Patient => ({
    resourceType: 'Patient',
    identifier: [{ system: 'urn:oid:2.999.1', value: '4711' }],
    name: [{ family, given: [given] }],
    birthDate,
  });
  const ask = (method: string, path: string, json?: object) =>
    client.request(method, `/fhir${path === '' ? '' : `/${path}`}`, {
      ...(json === undefined ? {} : { json }),
      headers: { 'content-type': 'application/fhir+json' },
    });
  const put = (person: Person) => ask('PUT', `Patient/${id}`, { ...patient(person), id });
  const transaction = (person: Person): Bundle => ({
    resourceType: 'Bundle',
    type: 'transaction',
    entry: [
      { resource: { ...patient(person), id }, request: { method: 'PUT', url: `Patient/${id}` } },
      {
        resource: { resourceType: 'BodyStructure', patient: { reference: `Patient/${id}` } },
        request: { method: 'POST', url: 'BodyStructure' },
      },
    ],
  });
  const held = async () =>
    ((await client.request('GET', '/api/v1/held')).body as { items: readonly { id: string; came: object }[] }).items;
  const decide = async (resolution: object): Promise<void> => {
    const [item] = await held();
    const answer = await client.request('POST', `/api/v1/held/${item!.id}/resolve`, { json: resolution });
    expect(answer.status).toBe(200);
  };
  const done = (repeat: () => ReturnType<typeof ask>) =>
    eventually('it is done', async () => {
      const answer = await repeat();
      return answer.status === 409 ? null : answer;
    });
  const count = async (type: string) => ((await ask('GET', `${type}?_summary=count`)).body as Bundle).total;

  it('is refused and kept, and repeated it is the same one that waits', async () => {
    const refused = await put(BERND);
    const [item] = await held();
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({
      issue: [
        {
          details: { coding: [{ code: 'identity-conflict' }] },
          diagnostics: expect.stringContaining(item!.id) as string,
          extension: [{ url: 'https://sutura.dev/fhir/StructureDefinition/held-id', valueId: item!.id }],
        },
      ],
    });
    expect((await put(BERND)).status).toBe(409);
    expect(await held()).toMatchObject([{ id: item!.id, came: { resources: [`Patient/${id}`], patientIds: [id] } }]);
    expect((await ask('GET', `Patient/${id}`)).body).toMatchObject({
      birthDate: '1950-01-01',
      meta: { versionId: '1' },
    });
  });

  it('is refused for good once it is discarded', async () => {
    await put(BERND);
    await decide({ action: 'discard' });
    const told = await eventually('it is told', async () => {
      const { body } = await put(BERND);
      return JSON.stringify(body).includes('decided that nothing') ? (body as object) : null;
    });
    expect([told, await held(), await count('Patient')]).toEqual([expect.anything(), [], 1]);
  });

  it('is another one’s by a person’s word: that one is answered, and the record stays as it was', async () => {
    await put(BERND);
    await decide({ action: 'another', authority: 'urn:oid:2.999.2' });
    const { status, body, headers } = await done(() => put(BERND));
    const other = body as Patient;
    expect(other).toMatchObject({
      birthDate: '1980-12-31',
      identifier: [{ system: 'urn:oid:2.999.2', value: '4711' }],
    });
    expect([status, other.id === id, headers.get('location')]).toEqual([
      201,
      false,
      expect.stringContaining(other.id!),
    ]);
    expect((await ask('GET', `Patient/${id}`)).body).toMatchObject({ birthDate: '1950-01-01' });
  });

  it('is done once, whole, with all that refers to the other one', async () => {
    const post = () => ask('POST', '', transaction(BERND));
    await post();
    expect(await count('BodyStructure')).toBe(0);
    await decide({ action: 'another', authority: 'urn:oid:2.999.2' });
    const answer = (await done(post)).body as Bundle;
    expect((await post()).body).toEqual(answer);
    const [other, wound] = answer.entry!.map(({ response }) => response!.location!.split('/').slice(0, 2).join('/'));
    expect((await ask('GET', wound!)).body).toMatchObject({ patient: { reference: other } });
    expect([await count('Patient'), await count('BodyStructure')]).toEqual([2, 1]);
  });

  it('corrects the record by a person’s word, and is done once', async () => {
    const post = () => ask('POST', '', transaction(CARLA));
    await post();
    await decide({ action: 'same' });
    expect((await done(post)).status).toBe(200);
    await post();
    expect((await ask('GET', `Patient/${id}`)).body).toMatchObject({ birthDate: '1970-05-05' });
    expect([await count('Patient'), await count('BodyStructure')]).toEqual([1, 1]);
  });

  const patch = () =>
    client.request('PATCH', `/fhir/Patient/${id}`, {
      json: { name: [{ family: 'Schulz', given: ['Bernd'] }], birthDate: '1980-12-31' },
      headers: { 'content-type': 'application/merge-patch+json' },
    });

  it('is kept where it is a PATCH, too, and counts for the record as it is by then', async () => {
    expect((await patch()).body).toMatchObject({ issue: [{ details: { coding: [{ code: 'identity-conflict' }] } }] });
    expect(await held()).toMatchObject([{ came: { resources: [`Patient/${id}`] } }]);
    expect((await patch()).status).toBe(409);
    await ask('PUT', `Patient/${id}`, { ...patient(ANNA), id, gender: 'female' });
    await decide({ action: 'same' });
    const answer = await done(patch);
    expect([answer.status, answer.body]).toEqual([
      200,
      expect.objectContaining({ id, birthDate: '1980-12-31', gender: 'female' }),
    ]);
    expect([await held(), await count('Patient')]).toEqual([[], 1]);
  });

  it('is another one’s where it is a PATCH, too', async () => {
    await patch();
    await decide({ action: 'another', authority: 'urn:oid:2.999.2' });
    expect((await done(patch)).body).toMatchObject({ birthDate: '1980-12-31' });
    expect((await ask('GET', `Patient/${id}`)).body).toMatchObject({ birthDate: '1950-01-01' });
    expect(await count('Patient')).toBe(2);
  });

  const bundleOf = (type: 'transaction' | 'batch'): Bundle => ({
    resourceType: 'Bundle',
    type,
    entry: [
      {
        resource: {
          resourceType: 'Parameters',
          parameter: [
            replaced('Patient.birthDate', { valueDate: '1980-12-31' }),
            replaced('Patient.name[0].given[0]', { valueString: 'Bernd' }),
          ],
        },
        request: { method: 'PATCH', url: `Patient/${id}` },
      },
      {
        resource: { resourceType: 'BodyStructure', patient: { reference: `Patient/${id}` } },
        request: { method: 'POST', url: 'BodyStructure' },
      },
    ],
  });

  it('is kept where it is a transaction with a PATCH, whole, and counts for the record as it is by then', async () => {
    const post = () => ask('POST', '', bundleOf('transaction'));
    const refused = await post();
    const [item] = await held();
    expect(refused.body).toMatchObject({
      issue: [{ expression: ['Bundle.entry[0]'], extension: [{ valueId: item!.id }] }],
    });
    expect([(await post()).status, await count('BodyStructure')]).toEqual([409, 0]);
    await ask('PUT', `Patient/${id}`, { ...patient(ANNA), id, gender: 'female' });
    await decide({ action: 'same' });
    expect((await done(post)).status).toBe(200);
    expect((await ask('GET', `Patient/${id}`)).body).toMatchObject({ birthDate: '1980-12-31', gender: 'female' });
    expect([await held(), await count('BodyStructure')]).toEqual([[], 1]);
  });

  it('is another one’s, with the wound, where it is a transaction with a PATCH', async () => {
    const post = () => ask('POST', '', bundleOf('transaction'));
    await post();
    await decide({ action: 'another', authority: 'urn:oid:2.999.2' });
    const { entry } = (await done(post)).body as Bundle;
    const [other, wound] = entry!.map(({ response }) => response!.location!.split('/').slice(0, 2).join('/'));
    expect((await ask('GET', other!)).body).toMatchObject({
      birthDate: '1980-12-31',
      name: [{ family: 'Meier', given: ['Bernd'] }],
      identifier: [{ system: 'urn:oid:2.999.2', value: '4711' }],
    });
    expect((await ask('GET', wound!)).body).toMatchObject({ patient: { reference: other } });
    expect((await ask('GET', `Patient/${id}`)).body).toMatchObject({ birthDate: '1950-01-01' });
  });

  it('is kept where it is a PATCH of a batch, whose other entries are done', async () => {
    const post = async () => ((await ask('POST', '', bundleOf('batch'))).body as Bundle).entry!;
    const statuses = (entries: Awaited<ReturnType<typeof post>>) => entries.map(({ response }) => response!.status);
    expect(statuses(await post())).toEqual([expect.stringMatching(/^409/), expect.stringMatching(/^201/)]);
    expect(await held()).toMatchObject([{ came: { resources: [`Patient/${id}`] } }]);
    await decide({ action: 'same' });
    await eventually('it is done', async () => statuses(await post())[0]!.startsWith('200') || null);
    expect((await ask('GET', `Patient/${id}`)).body).toMatchObject({ birthDate: '1980-12-31' });
    expect(await held()).toEqual([]);
  });

  it('waits for each of two records by itself: one is another one’s, the other one is the same', async () => {
    const numbered = (value: string, person: Person) => ({
      ...patient(person),
      identifier: [{ system: 'urn:oid:2.999.1', value }],
    });
    const second = ((await ask('POST', 'Patient', numbered('4712', CARLA))).body as Patient).id!;
    const entry = [
      { resource: { ...numbered('4711', BERND), id }, request: { method: 'PUT', url: `Patient/${id}` } },
      { resource: { ...numbered('4712', ANNA), id: second }, request: { method: 'PUT', url: `Patient/${second}` } },
    ];
    const post = () => ask('POST', '', { resourceType: 'Bundle', type: 'transaction', entry });
    const waitsFor = (record: string) =>
      eventually('it waits for this record', async () => {
        const [item] = (await held()) as readonly { id: string; came: { patientIds: readonly string[] } }[];
        return item?.came.patientIds[0] === record ? item : null;
      });
    await post();
    // Entries change their resources in the order of the ids, which are made in the order of time.
    await waitsFor(id);
    await decide({ action: 'another', authority: 'urn:oid:2.999.2' });
    await waitsFor(second);
    await decide({ action: 'same' });
    expect((await done(post)).status).toBe(200);
    expect((await ask('GET', `Patient/${id}`)).body).toMatchObject({ birthDate: '1950-01-01' });
    expect((await ask('GET', `Patient/${second}`)).body).toMatchObject({
      birthDate: '1950-01-01',
      identifier: [{ system: 'urn:oid:2.999.1', value: '4712' }],
    });
    expect(await count('Patient')).toBe(3);
  });

  it('waits again where the word leads to a third person', async () => {
    await put(BERND);
    await decide({ action: 'another', authority: 'urn:oid:2.999.2' });
    const bernd = ((await done(() => put(BERND))).body as Patient).id!;
    await put(CARLA);
    const [first] = await held();
    await decide({ action: 'another', authority: 'urn:oid:2.999.2' });
    const again = await eventually('it waits again', async () => (await held()).find((item) => item.id !== first!.id));
    expect(again.came).toMatchObject({ patientIds: [bernd] });
    await decide({ action: 'another', authority: 'urn:oid:2.999.3' });
    expect((await done(() => put(CARLA))).body).toMatchObject({ birthDate: '1970-05-05' });
    expect(await count('Patient')).toBe(3);
  });
});
