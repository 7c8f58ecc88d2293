import { randomUUID } from 'node:crypto';
import type { Bundle, BundleEntry } from '@medplum/fhirtypes';
import { ApiClient, expectStatus, type Answer } from '../../support/api-client.js';
import { queryDatabase } from '../../support/database-query.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { drawSmallWoundPhoto } from '../../support/wound-photo.js';

const MRN = 'urn:oid:1.2.3';
const SERVER_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7/;

describe('resources under ids of their senders', () => {
  let gateway: SharedGateway;
  let client: ApiClient;
  let organizationId: string;
  let numbers = 0;

  beforeAll(async () => {
    gateway = await sharedGateway();
    organizationId = await gateway.createOrganization();
    client = new ApiClient(gateway.baseUrl, (await gateway.createKey(organizationId)).key);
  });

  /** As a hospital does it: ADT^A40. */
  const join = async (survivor: string, prior: string): Promise<void> => {
    const numberOf = (value: string): string => `${value}^^^&1.2.3&ISO^MR`;
    const message = [
      `MSH|^~\\&|EHR|HOSP|SUTURA|SUTURA|20260315094003+0100||ADT^A40^ADT_A39|${next('MSG')}|T|2.5.1|||||DEU|UNICODE UTF-8`,
      'EVN|A40|20260320120000+0100',
      `PID|1||${numberOf(survivor)}||Muster^Erika`,
      `MRG|${numberOf(prior)}`,
    ].join('\r');
    expectStatus(
      200,
      await client.request('POST', '/hl7v2', {
        bytes: Buffer.from(message),
        headers: { 'content-type': 'application/hl7-v2' },
      }),
    );
  };

  const next = (prefix: string): string => `${prefix}-${(numbers += 1)}`;
  const patientOf = (id: string, more: object = {}) => ({
    resourceType: 'Patient',
    id,
    identifier: [{ system: MRN, value: `MRN-${id}` }],
    name: [{ family: 'Muster' }],
    ...more,
  });
  const conditionOf = (id: string, patient: string, more: object = {}) => ({
    resourceType: 'Condition',
    id,
    subject: { reference: `Patient/${patient}` },
    code: { text: 'Pressure sore' },
    ...more,
  });
  const put = (
    resource: { resourceType: string; id: string },
    headers: Record<string, string> = {},
    by = client,
  ): Promise<Answer> => by.request('PUT', `/fhir/${resource.resourceType}/${resource.id}`, { json: resource, headers });
  const read = (path: string, by = client): Promise<Answer> => by.request('GET', `/fhir/${path}`);
  const post = (type: 'transaction' | 'batch', entry: readonly object[]): Promise<Answer> =>
    client.request('POST', '/fhir', { json: { resourceType: 'Bundle', type, entry } });
  const putEntry = (resource: { resourceType: string; id: string }, more: object = {}) => ({
    resource,
    request: { method: 'PUT', url: `${resource.resourceType}/${resource.id}` },
    ...more,
  });
  const statuses = ({ body }: Answer): string[] =>
    ((body as Bundle).entry ?? []).map(({ response }) => response!.status.slice(0, 3));
  const canonicalId = async (type: string, id: string): Promise<string> =>
    (expectStatus(200, await read(`${type}?_id=${id}`)).body as Bundle).entry![0]!.resource!.id!;

  describe('are refused', () => {
    it('with an id of a record of the service, another id in the body, an id that R4 does not allow, or a version to change', async () => {
      const { imageId } = (await client.requestUpload()).body as { imageId: string };
      const subject = {
        reference: `Patient/${expectStatus(201, await client.request('POST', '/fhir/Patient', { json: { resourceType: 'Patient' } })).body.id}`,
      };
      const content = { contentType: 'image/jpeg', data: (await drawSmallWoundPhoto({ seed: 9 })).toString('base64') };
      expectStatus(
        405,
        await put({ resourceType: 'Media', id: imageId, status: 'completed', subject, content } as never),
      );
      expectStatus(
        405,
        await put({
          resourceType: 'DocumentReference',
          id: `${imageId}-model-card`,
          status: 'current',
          subject,
          content: [{ attachment: { title: 'x' } }],
        } as never),
      );
      expectStatus(400, await client.request('PUT', `/fhir/Patient/${next('p')}`, { json: patientOf('other') }));
      expectStatus(400, await put(patientOf('under_score')));
      expectStatus(400, await put(patientOf('x'.repeat(65))));
      expectStatus(412, await put(patientOf(next('p')), { 'if-match': 'W/"1"' }));
      const kept = 'select from fhir_client_ids where organization_id = $1';
      expect(await queryDatabase(gateway.databaseUrl, kept, [organizationId])).toEqual([]);
    });

    it('where what they refer to is not there, and the id stays free', async () => {
      const id = next('c');
      expectStatus(400, await put(conditionOf(id, next('nobody'))));
      expectStatus(404, await read(`Condition/${id}`));
    });

    it('for a key that may not create', async () => {
      const { key } = await gateway.createKey(organizationId, 'test', ['analysis:read']);
      const answer = await fetch(`${gateway.baseUrl}/fhir/Patient/reader-1`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/fhir+json' },
        body: JSON.stringify(patientOf('reader-1')),
      });
      expect(answer.status).toBe(403);
    });
  });

  it('may look like ids of the server: whether an id is taken counts', async () => {
    const id = '8f14e45f-ceea-7c3b-9a1d-0123456789ab';
    const wound = '0199d0a1-4a00-7b10-8a01-0000000000ab-area';
    expectStatus(201, await put(patientOf(id)));
    expect(expectStatus(200, await put(patientOf(id, { gender: 'female' }))).body).toMatchObject({
      id,
      gender: 'female',
    });
    const answer = await post('transaction', [
      putEntry(conditionOf('7c9e6679-7425-70de-944b-e07fc1f90ae7', id)),
      putEntry({ resourceType: 'Patient', id: wound }),
    ]);
    expect(statuses(expectStatus(200, answer))).toEqual(['201', '201']);
    expect((await read(`Condition?patient=${id}`)).body.total).toBe(1);
    expect((await read(`Patient?_id=${id}`)).body.total).toBe(1);
    expect((await read(`Patient/${id}/_history/1`)).body.id).toBe(id);
    const here = await canonicalId('Patient', id);
    expect(here).not.toBe(id);
    // Each of the two ids leads to one resource, and neither is free for another.
    expectStatus(200, await put(patientOf(here, { identifier: patientOf(id).identifier })));
    expect((await read(`Patient/${id}`)).body.meta.versionId).toBe('3');
  });

  it('are created by the first PUT, changed by the next, and read by the same address', async () => {
    const id = next('abc.DEF');
    const created = expectStatus(201, await put(patientOf(id)));
    expect(created.body).toMatchObject({ id, meta: { versionId: '1' } });
    expect(Object.fromEntries(created.headers)).toMatchObject({
      location: `${gateway.baseUrl}/fhir/Patient/${id}/_history/1`,
      etag: 'W/"1"',
    });
    expect(expectStatus(200, await read(`Patient/${id}`)).body).toEqual(created.body);
    const changed = expectStatus(200, await put(patientOf(id, { gender: 'female' }), { 'if-match': 'W/"1"' }));
    expect(changed.headers.get('content-location')).toBe(`${gateway.baseUrl}/fhir/Patient/${id}/_history/2`);
    expectStatus(412, await put(patientOf(id), { 'if-match': 'W/"1"' }));
    expect(expectStatus(200, await read(`Patient/${id}/_history/1`)).body).toEqual(created.body);
    expect((expectStatus(200, await read(`Patient/${id}/_history`)).body as Bundle).total).toBe(2);
    const patched = await client.request('PATCH', `/fhir/Patient/${id}`, {
      json: [{ op: 'add', path: '/active', value: true }],
      headers: { 'content-type': 'application/json-patch+json' },
    });
    expect(expectStatus(200, patched).body).toMatchObject({
      id,
      active: true,
      gender: 'female',
      meta: { versionId: '3' },
    });
  });

  it('have an id here besides, which searches and references show', async () => {
    const [patient, condition] = [next('p'), next('c')];
    expectStatus(201, await put(patientOf(patient)));
    expectStatus(201, await put(conditionOf(condition, patient)));
    const here = await canonicalId('Patient', patient);
    expect(here).toMatch(SERVER_ID);
    expect(expectStatus(200, await read(`Patient/${here}`)).body.id).toBe(here);
    expect(expectStatus(200, await read(`Condition/${condition}`)).body).toMatchObject({
      id: condition,
      subject: { reference: `Patient/${here}` },
    });
    for (const query of [
      `patient=Patient/${patient}`,
      `patient=${patient}`,
      `patient=${gateway.baseUrl}/fhir/Patient/${patient}`,
      `_id=${condition},nobody`,
      `patient._id=${patient}`,
    ]) {
      expect((expectStatus(200, await read(`Condition?${query}`)).body as Bundle).entry).toHaveLength(1);
    }
    expect(
      (expectStatus(200, await read(`Patient?_has:Condition:patient:_id=${condition}`)).body as Bundle).entry,
    ).toHaveLength(1);
    expect(
      expectStatus(
        200,
        await put(patientOf(here, { identifier: [{ system: MRN, value: `MRN-${patient}` }], gender: 'other' })),
      ).body.meta.versionId,
    ).toBe('2');
    expectStatus(
      201,
      await client.request('POST', '/fhir/Condition', { json: { ...conditionOf('x', patient), encounter: undefined } }),
    );
    expect(
      await queryDatabase(
        gateway.databaseUrl,
        `select distinct r.id from fhir_references f join fhir_resources c on c.number = f.resource left join fhir_resources r on r.address = f.target where c.id = $1`,
        [await canonicalId('Condition', condition)],
      ),
    ).toEqual([{ id: here }]);
  });

  it('are each tenant’s own: the id of somebody else’s resource is free, and shows nothing of it', async () => {
    const other = await gateway.createClient();
    const id = randomUUID();
    expectStatus(201, await put(patientOf(id, { name: [{ family: 'Theirs' }] })));
    expectStatus(404, await read(`Patient/${id}`, other));
    expectStatus(201, await put(patientOf(id, { name: [{ family: 'Ours' }] }), {}, other));
    expect(expectStatus(200, await read(`Patient/${id}`)).body.name).toEqual([{ family: 'Theirs' }]);
    const theirs = await canonicalId('Patient', id);
    expectStatus(400, await put(conditionOf(next('c'), theirs), {}, other));
    for (const free of [theirs, '0199d0a1-4a00-7b10-8a01-0000000000ab'])
      expect(expectStatus(201, await put(patientOf(free), {}, other)).body).toMatchObject({ meta: { versionId: '1' } });
    expect(expectStatus(200, await read(`Patient/${theirs}`)).body.name).toEqual([{ family: 'Theirs' }]);
  });

  it('are the patient that is known by the same number, whoever brought it', async () => {
    const { id } = expectStatus(
      201,
      await client.request('POST', '/fhir/Patient', {
        json: { resourceType: 'Patient', identifier: [{ system: MRN, value: 'known-1' }] },
      }),
    ).body;
    const mine = next('p');
    const joined = expectStatus(200, await put(patientOf(mine, { identifier: [{ system: MRN, value: 'known-1' }] })));
    expect(joined.body).toMatchObject({ id: mine, meta: { versionId: '2' }, name: [{ family: 'Muster' }] });
    expect(await canonicalId('Patient', mine)).toBe(id);
    expectStatus(
      409,
      await put(
        patientOf(mine, {
          identifier: [
            { system: MRN, value: 'known-1' },
            {
              system: MRN,
              value: `MRN-${await (async () => {
                const other = next('p');
                await put(patientOf(other));
                return other;
              })()}`,
            },
          ],
        }),
      ),
    );
  });

  it('are made once by many callers at once', async () => {
    const id = next('race');
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        put(conditionOf(id, 'shared', { subject: { display: 'somebody' }, code: { text: `sore ${at}` } })),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
    expect(expectStatus(200, await read(`Condition/${id}`)).body.meta.versionId).toBe('8');
  });

  it('are findings of clinicians as well: made, corrected and found by them', async () => {
    const [patient, finding] = [next('p'), next('obs')];
    expectStatus(201, await put(patientOf(patient)));
    const depthOf = (value: number, more: object = {}) => ({
      resourceType: 'Observation',
      id: finding,
      status: 'final',
      code: { coding: [{ system: 'http://loinc.org', code: '39127-6' }] },
      subject: { reference: `Patient/${patient}` },
      effectiveDateTime: '2026-03-01',
      valueQuantity: { value, unit: 'mm', system: 'http://unitsofmeasure.org', code: 'mm' },
      ...more,
    });
    expectStatus(422, await put(depthOf(3, { code: { coding: [{ system: 'http://loinc.org', code: '89260-4' }] } })));
    expect(expectStatus(201, await put(depthOf(8))).body).toMatchObject({ id: finding, meta: { versionId: '1' } });
    expect(expectStatus(200, await put(depthOf(9), { 'if-match': 'W/"1"' })).body).toMatchObject({
      id: finding,
      valueQuantity: { value: 9 },
      meta: { versionId: '2' },
    });
    expectStatus(200, await put(depthOf(9, { status: 'entered-in-error' })));
    const [found] = (expectStatus(200, await read(`Observation?patient=${patient}&code=39127-6`)).body as Bundle)
      .entry!;
    expect(found!.resource).toMatchObject({
      id: await canonicalId('Observation', finding),
      status: 'entered-in-error',
      subject: { reference: `Patient/${await canonicalId('Patient', patient)}` },
    });
    expect((expectStatus(200, await read(`Observation/${finding}/_history`)).body as Bundle).total).toBe(3);
  });

  it('bring a photo, whose order under an id of its own names it', async () => {
    const [patient, media, order] = [next('p'), next('m'), next('o')];
    const photo = Buffer.from(await drawSmallWoundPhoto()).toString('base64');
    const entry = [
      putEntry({
        resourceType: 'ServiceRequest',
        id: order,
        status: 'active',
        intent: 'order',
        code: { coding: [{ system: 'http://loinc.org', code: '39135-9' }] },
        subject: { reference: `Patient/${patient}` },
        supportingInfo: [{ reference: `Media/${media}` }],
      } as never),
      putEntry({
        resourceType: 'Media',
        id: media,
        status: 'completed',
        subject: { reference: `Patient/${patient}` },
        content: { contentType: 'image/jpeg', data: photo },
      } as never),
      putEntry(patientOf(patient), { fullUrl: 'urn:uuid:b1f6a2de-6c1f-4a55-9a2b-000000000009' }),
    ];
    const first = expectStatus(200, await post('transaction', entry));
    expect(statuses(first)).toEqual(['201', '201', '201']);
    expect((first.body as Bundle).entry!.map(({ response }) => response!.location)).toEqual([
      `ServiceRequest/${order}/_history/1`,
      `Media/${media}/_history/1`,
      `Patient/${patient}/_history/1`,
    ]);
    expect((expectStatus(200, await read(`Task?based-on=ServiceRequest/${order}`)).body as Bundle).entry).toHaveLength(
      1,
    );
    expect(expectStatus(200, await read(`Media/${media}`)).body.content.url).toMatch(/Binary\//);
    expectStatus(200, await client.request('POST', `/fhir/Media/${media}/$analyze`, {}));
  });

  it('are asked for with everything that is theirs, page by page', async () => {
    const [patient, doctor] = [
      next('p'),
      expectStatus(
        201,
        await client.request('POST', '/fhir/Practitioner', {
          json: { resourceType: 'Practitioner', name: [{ family: 'Arzt' }] },
        }),
      ).body.id,
    ];
    expectStatus(201, await put(patientOf(patient)));
    for (let at = 0; at < 5; at += 1)
      expectStatus(
        201,
        await put(conditionOf(next('c'), patient, { asserter: { reference: `Practitioner/${doctor}` } })),
      );
    expectStatus(
      201,
      await put({
        resourceType: 'Encounter',
        id: next('e'),
        status: 'finished',
        class: { code: 'AMB' },
        subject: { reference: `Patient/${patient}` },
      } as never),
    );
    const typesOf = (bundle: Bundle, mode: string): string[] =>
      (bundle.entry ?? []).filter(({ search }) => search?.mode === mode).map(({ resource }) => resource!.resourceType);
    const whole = expectStatus(200, await read(`Patient/${patient}/$everything`)).body as Bundle;
    expect(typesOf(whole, 'match').sort()).toEqual([
      'Condition',
      'Condition',
      'Condition',
      'Condition',
      'Condition',
      'Encounter',
      'Patient',
    ]);
    expect(typesOf(whole, 'include')).toEqual(['Practitioner']);
    const seen: string[] = [];
    for (let page: string | undefined = `Patient/${patient}/$everything?_count=2`; page !== undefined;) {
      const bundle: Bundle = expectStatus(200, await read(page)).body;
      seen.push(
        ...(bundle.entry ?? []).filter(({ search }) => search?.mode === 'match').map(({ fullUrl }) => fullUrl!),
      );
      page = bundle.link?.find(({ relation }) => relation === 'next')?.url.replace(`${gateway.baseUrl}/fhir/`, '');
    }
    expect([...seen].sort()).toEqual(
      whole
        .entry!.filter(({ search }) => search?.mode === 'match')
        .map(({ fullUrl }) => fullUrl!)
        .sort(),
    );
    expect(
      typesOf(expectStatus(200, await read(`Patient/${patient}/$everything?_type=Condition`)).body, 'match'),
    ).toHaveLength(5);
    for (const query of ['_count=0', '_since=never', '_cursor=x', 'start=2026'])
      expectStatus(400, await read(`Patient/${patient}/$everything?${query}`));
    expectStatus(404, await read(`Patient/${next('nobody')}/$everything`));
  });

  describe('in Bundles', () => {
    const bundle = (): { ids: Record<'patient' | 'condition' | 'encounter', string>; entry: BundleEntry[] } => {
      const ids = { patient: next('p'), condition: next('c'), encounter: next('e') };
      const encounter = {
        resourceType: 'Encounter',
        id: ids.encounter,
        status: 'finished',
        class: { code: 'AMB' },
        subject: { reference: 'urn:uuid:b1f6a2de-6c1f-4a55-9a2b-000000000001' },
      };
      return {
        ids,
        entry: [
          putEntry(
            conditionOf(ids.condition, ids.patient, {
              encounter: { reference: `Encounter/${ids.encounter}` },
            }) as never,
          ),
          putEntry(encounter as never),
          putEntry(patientOf(ids.patient) as never, { fullUrl: 'urn:uuid:b1f6a2de-6c1f-4a55-9a2b-000000000001' }),
        ] as BundleEntry[],
      };
    };

    it('of a transaction refer to each other by address or fullUrl, in any order, and come again as changes', async () => {
      const { ids, entry } = bundle();
      expect(statuses(expectStatus(200, await post('transaction', entry)))).toEqual(['201', '201', '201']);
      expect(statuses(expectStatus(200, await post('transaction', entry)))).toEqual(['200', '200', '200']);
      const condition = expectStatus(200, await read(`Condition/${ids.condition}`)).body;
      expect([condition.subject.reference, condition.encounter.reference]).toEqual([
        `Patient/${await canonicalId('Patient', ids.patient)}`,
        `Encounter/${await canonicalId('Encounter', ids.encounter)}`,
      ]);
      // Sent as it was, it makes no version.
      expect(condition.meta.versionId).toBe('1');
    });

    it('of a batch are stored whatever their order, where what they refer to is in it too', async () => {
      const { ids, entry } = bundle();
      const independent = entry.map(
        ({ fullUrl: _, ...rest }) =>
          JSON.parse(
            JSON.stringify(rest).replaceAll('urn:uuid:b1f6a2de-6c1f-4a55-9a2b-000000000001', `Patient/${ids.patient}`),
          ) as BundleEntry,
      );
      expect(statuses(expectStatus(200, await post('batch', independent)))).toEqual(['201', '201', '201']);
      expect(statuses(expectStatus(200, await post('batch', independent)))).toEqual(['200', '200', '200']);
      expect(expectStatus(200, await read(`Condition/${ids.condition}`)).body.subject.reference).toMatch(
        /^Patient\/[0-9a-f]{8}-[0-9a-f]{4}-7/,
      );
    });

    it('are refused whole where one entry is, and nothing of them stays', async () => {
      const { ids, entry } = bundle();
      const refused = expectStatus(
        400,
        await post('transaction', [...entry, putEntry(conditionOf(next('c'), next('nobody')))]),
      );
      expect(refused.body.issue[0].expression).toEqual(['Bundle.entry[3].resource.subject.reference']);
      for (const [type, id] of [
        ['Patient', ids.patient],
        ['Condition', ids.condition],
        ['Encounter', ids.encounter],
      ])
        expectStatus(404, await read(`${type}/${id}`));
    });

    it('mean one resource by two names only once', async () => {
      const id = next('p');
      expectStatus(201, await put(patientOf(id)));
      const twice = [
        putEntry(patientOf(id)),
        {
          resource: { ...patientOf(id), id: undefined },
          request: { method: 'PUT', url: `Patient?identifier=${MRN}|MRN-${id}` },
        },
      ];
      expect(expectStatus(400, await post('transaction', twice)).body.issue[0].expression).toEqual([
        'Bundle.entry[1].request.url',
      ]);
      expectStatus(
        400,
        await post('transaction', [
          putEntry(patientOf(id)),
          putEntry({ ...patientOf(id), id: await canonicalId('Patient', id) }),
        ]),
      );
    });
  });

  describe('of two patients whose records are joined', () => {
    it('name the same resources as before, the ended one with a link to the one that stands, and what was theirs is the survivor’s', async () => {
      const [survivor, prior, condition] = [next('p'), next('p'), next('c')];
      for (const id of [survivor, prior]) expectStatus(201, await put(patientOf(id)));
      expectStatus(201, await put(conditionOf(condition, prior)));
      const [here, ended] = [await canonicalId('Patient', survivor), await canonicalId('Patient', prior)];
      await join(`MRN-${survivor}`, `MRN-${prior}`);
      expect(expectStatus(200, await read(`Patient/${prior}`)).body).toMatchObject({
        id: prior,
        active: false,
        link: [{ other: { reference: `Patient/${here}` }, type: 'replaced-by' }],
      });
      expect(expectStatus(200, await read(`Patient/${survivor}`)).body).toMatchObject({
        id: survivor,
        link: [{ other: { reference: `Patient/${ended}` }, type: 'replaces' }],
      });
      expect(expectStatus(200, await read(`Condition/${condition}`)).body.subject.reference).toBe(`Patient/${here}`);
      for (const [patient, count] of [
        [survivor, 1],
        [prior, 0],
      ] as const)
        expect((expectStatus(200, await read(`Condition?patient=${patient}`)).body as Bundle).entry ?? []).toHaveLength(
          count,
        );
      // What the sender still files under the ended number is the survivor's.
      expectStatus(201, await put(conditionOf(next('c'), survivor)));
      expect((expectStatus(200, await read(`Condition?patient=${survivor}`)).body as Bundle).entry).toHaveLength(2);
    });
  });
});
