import type { Bundle, BundleEntry, Resource } from '@medplum/fhirtypes';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { BASE, BundleGround } from '../../../../test/support/bundle-ground.js';
import { OutcomeError } from '../../../standards/fhir/outcome/outcome-error.js';

const IMAGE = { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/media-type', code: 'image' }] };
const urn = (name: string) => `urn:uuid:${name}`;

function create(name: string, resource: object, more: object = {}): object {
  return {
    fullUrl: urn(name),
    resource,
    request: { method: 'POST', url: (resource as Resource).resourceType, ...more },
  };
}

const media = (subject: string, more: object = {}) => ({
  resourceType: 'Media',
  status: 'completed',
  type: IMAGE,
  subject: { reference: subject },
  content: { url: urn('binary') },
  ...more,
});
const wound = (patient: string) => ({ resourceType: 'BodyStructure', patient: { reference: patient } });
const transaction = (...entry: unknown[]) => ({ resourceType: 'Bundle', type: 'transaction', entry });
const patch = (operations: unknown) => ({
  resourceType: 'Binary',
  contentType: 'application/json-patch+json',
  data: Buffer.from(JSON.stringify(operations)).toString('base64'),
});

let ground: BundleGround;
beforeEach(() => {
  ground = new BundleGround();
});

const stored = (address: string): unknown => ground.stored.get(address)?.resource;
const statuses = ({ entry }: Pick<Bundle, 'entry'>) => entry?.map(({ response }: BundleEntry) => response?.status);

describe('a transaction that cannot be', () => {
  it('[F34] stores nothing of ten entries whose seventh is invalid, and opens no transaction', async () => {
    const entries = Array.from({ length: 10 }, (_, index) =>
      create(`p${index}`, { resourceType: 'Patient', ...(index === 6 ? { birthDate: 'yesterday' } : {}) }),
    );
    const reply = await ground.post(transaction(...entries));
    expect(reply).toMatchObject({
      status: 400,
      body: { issue: [{ code: 'value', expression: ['Bundle.entry[6].resource.birthDate'] }] },
    });
    expect([ground.transactions, ground.stored.size]).toEqual([0, 0]);
    expect(ground.discarded.length).toBeGreaterThanOrEqual(6);
  });

  it('is refused for the first of two bad entries', async () => {
    const bad = { resourceType: 'Patient', active: 'yes' };
    const reply = await ground.post(
      transaction(create('a', { resourceType: 'Patient' }), create('b', bad), create('c', bad)),
    );
    expect(reply.body.issue[0]?.expression).toEqual(['Bundle.entry[1].resource.active']);
  });

  it.each([
    ['bind Patient', 'Bundle.entry[0]'],
    ['create BodyStructure', 'Bundle.entry[1]'],
  ])('takes everything back when it fails at "%s"', async (step, place) => {
    ground.faults.set(step, new SuturaError('fhir.duplicate'));
    const reply = await ground.post(
      transaction(create('p', { resourceType: 'Patient' }), create('w', wound(urn('p')))),
    );
    expect(reply).toMatchObject({ status: 409, body: { issue: [{ code: 'duplicate', expression: [place] }] } });
    expect(ground.stored.size).toBe(0);
    expect(ground.discarded).toEqual(['Patient', 'BodyStructure']);
  });

  it('keeps the kind and the facts of a refusal: a quota stays a quota, of the entry that it is about', async () => {
    ground.faults.set(
      'settle',
      new OutcomeError('quota.exceeded', [], { quota: { limit: 1, used: 1, resetsInS: 9 } }, 'BodyStructure/n2'),
    );
    const reply = await ground.post(
      transaction(create('p', { resourceType: 'Patient' }), create('w', wound(urn('p')))),
    );
    expect(reply).toMatchObject({
      status: 429,
      body: { issue: [{ code: 'throttled', expression: ['Bundle.entry[1]'] }] },
    });
    expect(ground.stored.size).toBe(0);
  });

  it('takes what was prepared back after a fault of the service, which is nobody’s entry', async () => {
    ground.faults.set('create Patient', new SuturaError('service.unavailable'));
    const reply = await ground.post(transaction(create('p', { resourceType: 'Patient' })));
    expect(reply.status).toBe(503);
    expect(reply.body.issue[0]?.expression).toBeUndefined();
    expect(ground.discarded).toEqual(['Patient']);
    ground.faults.set('create Patient', new TypeError('a fault'));
    await expect(ground.post(transaction(create('p', { resourceType: 'Patient' })))).rejects.toThrow('a fault');
    expect(ground.discarded).toEqual(['Patient', 'Patient']);
  });

  it.each([
    ['a urn that no entry has', create('m', media(urn('nobody'))), 'Bundle.entry[0].resource.subject.reference'],
    ['an entry of another type', create('m', media(urn('m'))), 'Bundle.entry[0].resource.subject.reference'],
    ['an attachment that no entry has', create('m', media('Patient/1')), 'Bundle.entry[0].resource.content.url'],
  ])('refers to %s', async (_, entry, place) => {
    const reply = await ground.post(transaction(entry));
    expect(reply.status).toBe(400);
    expect(reply.body.issue.map(({ expression }) => expression?.[0])).toContain(place);
    expect([ground.transactions, ground.discarded]).toEqual([0, ['Media']]);
  });

  it.each([
    [0, 'not-found'],
    [2, 'multiple-matches'],
  ])('has a conditional reference with %i matches', async (count, code) => {
    const ids = Array.from({ length: count }, (_, index) => `${index}`);
    ids.forEach((id) => ground.keep({ resourceType: 'Patient', id }));
    ground.matches.set('Patient?identifier=a|b', ids);
    const reply = await ground.post(transaction(create('w', wound('Patient?identifier=a|b'))));
    expect(reply).toMatchObject({
      status: 412,
      body: { issue: [{ code, expression: ['Bundle.entry[0].resource.patient.reference'] }] },
    });
  });

  it('has a conditional reference to what the key may not look for', async () => {
    const order = {
      resourceType: 'ServiceRequest',
      status: 'active',
      intent: 'order',
      subject: { reference: 'Patient?identifier=a|b' },
    };
    const reply = await ground.post(transaction(create('o', order)), {}, null, ['analysis:write']);
    expect(reply).toMatchObject({
      status: 403,
      body: { issue: [{ code: 'forbidden', expression: ['Bundle.entry[0]'] }] },
    });
  });

  it('has criteria with several matches', async () => {
    ['1', '2'].forEach((id) => ground.keep({ resourceType: 'Patient', id }));
    ground.matches.set('Patient?name=x', ['1', '2']);
    const reply = await ground.post(transaction(create('p', { resourceType: 'Patient' }, { ifNoneExist: 'name=x' })));
    expect(reply).toMatchObject({
      status: 412,
      body: { issue: [{ code: 'multiple-matches', expression: ['Bundle.entry[0]'] }] },
    });
  });

  it('changes a version that is no more', async () => {
    ground.keep({ resourceType: 'Patient', id: '1' }, 2);
    const put = {
      resource: { resourceType: 'Patient', id: '1' },
      request: { method: 'PUT', url: 'Patient/1', ifMatch: 'W/"1"' },
    };
    expect(await ground.post(transaction(create('p', { resourceType: 'Patient' }), put))).toMatchObject({
      status: 412,
      body: { issue: [{ expression: ['Bundle.entry[1]'] }] },
    });
    expect(ground.stored.size).toBe(1);
  });

  it('reads what is not there', async () => {
    const reply = await ground.post(
      transaction(create('p', { resourceType: 'Patient' }), { request: { method: 'GET', url: 'Patient/9' } }),
    );
    expect(reply).toMatchObject({
      status: 404,
      body: { issue: [{ code: 'not-found', expression: ['Bundle.entry[1]'] }] },
    });
    expect(ground.stored.size).toBe(0);
  });

  it.each([
    ['no Binary', { resourceType: 'Patient' }],
    ['null', null],
    ['of another type', { ...patch([]), contentType: 'text/plain' }],
    ['no base64', { ...patch([]), data: '!' }],
    ['no JSON', { ...patch([]), data: Buffer.from('{').toString('base64') }],
  ])('carries a patch that is %s', async (_, resource) => {
    ground.keep({ resourceType: 'Patient', id: '1' });
    expect(await ground.post(transaction({ resource, request: { method: 'PATCH', url: 'Patient/1' } }))).toMatchObject({
      status: 400,
      body: { issue: [{ expression: ['Bundle.entry[0]'] }] },
    });
  });
});

describe('a transaction', () => {
  it('binds what others are bound to first, creates, changes, settles, reads, and answers in the order of the request', async () => {
    ground.keep({ resourceType: 'Patient', id: '1' });
    ground.keep({ resourceType: 'Patient', id: '2' });
    const reply = await ground.post(
      transaction(
        { request: { method: 'GET', url: 'Patient/1' } },
        { resource: patch([{ op: 'test', path: '/id', value: '2' }]), request: { method: 'PATCH', url: 'Patient/2' } },
        {
          resource: { resourceType: 'Patient', id: '1', active: true },
          request: { method: 'PUT', url: 'Patient/1', ifMatch: 'W/"1"' },
        },
        create('media', media(urn('p'))),
        create('w', wound(urn('p'))),
        create('binary', { resourceType: 'Binary', contentType: 'image/png', data: 'AAAA' }),
        create('p', { resourceType: 'Patient' }),
        { request: { method: 'GET', url: 'Media?patient=1' } },
        { request: { method: 'GET', url: 'Patient/2', ifNoneMatch: 'W/"1"' } },
      ),
    );
    const wanted = [
      'bind Binary null',
      'bind Patient null',
      'bind BodyStructure {"reference":"Patient/n2"}',
      'bind Media null',
      'create Binary',
      'create Patient',
      'create BodyStructure',
      'create Media',
    ];
    expect(ground.log.map((line) => line.replace(/ \[.*/, ''))).toEqual([
      ...wanted,
      'update Patient/1',
      'patch Patient/2',
      'settle Binary,Patient,BodyStructure,Media',
      'read Patient/1',
      'search Media',
      'read Patient/2',
      'audit transaction',
    ]);
    expect(reply.status).toBe(200);
    expect(statuses(reply.body)).toEqual([
      '200 OK',
      '200 OK',
      '200 OK',
      '201 Created',
      '201 Created',
      '201 Created',
      '201 Created',
      '200 OK',
      '304 Not Modified',
    ]);
    const [read, , put, created] = reply.body.entry ?? [];
    expect(read).toMatchObject({ resource: { id: '1', active: true }, response: { etag: 'W/"2"' } });
    expect(put).toEqual({
      response: { status: '200 OK', location: 'Patient/1/_history/2', etag: 'W/"2"', lastModified: expect.any(String) },
    });
    expect(created?.response).toMatchObject({ location: 'Media/n4/_history/1', etag: 'W/"1"' });
    expect(stored('Media/n4')).toMatchObject({ subject: { reference: 'Patient/n2' }, content: { url: 'Binary/n1' } });
    expect(ground.discarded).toEqual([]);
  });

  it('resolves cycles', async () => {
    const entries = ['a', 'b'].map((name, index) =>
      create(name, {
        resourceType: 'Patient',
        link: [{ other: { reference: urn(index === 0 ? 'b' : 'a') }, type: 'seealso' }],
      }),
    );
    expect((await ground.post(transaction(...entries))).status).toBe(200);
    expect([stored('Patient/n1'), stored('Patient/n2')]).toMatchObject([
      { link: [{ other: { reference: 'Patient/n2' } }] },
      { link: [{ other: { reference: 'Patient/n1' } }] },
    ]);
  });

  it('reuses what matches, points links at it, and takes back what was prepared for it', async () => {
    ground.keep({ resourceType: 'Patient', id: 'known' }, 3);
    ground.matches.set('Patient?identifier=a|b', ['known']);
    const reply = await ground.post(
      transaction(
        create('w', wound(urn('p'))),
        create('p', { resourceType: 'Patient' }, { ifNoneExist: 'identifier=a|b' }),
      ),
    );
    expect(statuses(reply.body)).toEqual(['201 Created', '200 OK']);
    expect(reply.body.entry?.[1]?.response).toMatchObject({ location: 'Patient/known/_history/3', etag: 'W/"3"' });
    expect(stored('BodyStructure/n1')).toMatchObject({ patient: { reference: 'Patient/known' } });
    expect(ground.discarded).toEqual(['Patient']);
  });

  it('takes criteria in one order, whatever the order of the entries', async () => {
    const entries = ['b', 'a', 'c'].map((name) =>
      create(name, { resourceType: 'Patient' }, { ifNoneExist: `identifier=${name}` }),
    );
    await ground.post(transaction(...entries));
    expect(ground.log.filter((line) => line.startsWith('match'))).toEqual(
      ['a', 'b', 'c'].map((name) => `match Patient?identifier=${name}`),
    );
  });

  it('resolves conditional references, also of our own base and of updates', async () => {
    ground.keep({ resourceType: 'Patient', id: 'known' });
    ground.keep({ resourceType: 'BodyStructure', id: 'w', patient: { reference: 'Patient/known' } });
    ground.matches.set('Patient?identifier=a|b', ['known']);
    const put = {
      resource: { ...wound(`${BASE}/Patient?identifier=a|b`), id: 'w' },
      request: { method: 'PUT', url: 'BodyStructure/w' },
    };
    const reply = await ground.post(transaction(create('x', wound('Patient?identifier=a|b')), put));
    expect(statuses(reply.body)).toEqual(['201 Created', '200 OK']);
    expect([stored('BodyStructure/n1'), stored('BodyStructure/w')]).toMatchObject([
      { patient: { reference: 'Patient/known' } },
      { patient: { reference: 'Patient/known' } },
    ]);
  });

  it('shows what was written where that is preferred, or says that it was', async () => {
    const body = () => transaction(create('p', { resourceType: 'Patient' }));
    expect((await ground.post(body())).body.entry?.[0]?.resource).toBeUndefined();
    expect((await ground.post(body(), { return: 'representation' })).body.entry?.[0]?.resource).toMatchObject({
      resourceType: 'Patient',
      id: 'n2',
    });
    expect((await ground.post(body(), { return: 'OperationOutcome' })).body.entry?.[0]).toMatchObject({
      response: { outcome: { resourceType: 'OperationOutcome' } },
    });
  });
});

describe('a transaction with an Idempotency-Key', () => {
  const body = (active: boolean) =>
    transaction(create('p', { resourceType: 'Patient', active }), create('q', { resourceType: 'Patient' }));

  it('is done once; its repeat says what became of it, without the resources', async () => {
    const first = await ground.post(body(true), { return: 'representation' }, 'k');
    const second = await ground.post(body(true), { return: 'representation' }, 'k');
    expect([first.headers, second.headers]).toEqual([{}, { 'idempotency-replayed': 'true' }]);
    expect(first.body.entry?.[0]?.resource).toBeDefined();
    expect(second.body).toEqual({ ...first.body, entry: first.body.entry?.map(({ response }) => ({ response })) });
    expect(ground.stored.size).toBe(2);
  });

  it('is refused where the body is another, and may be tried again where the first was refused', async () => {
    ground.faults.set('create Patient', new SuturaError('service.unavailable'));
    expect((await ground.post(body(true), {}, 'k')).status).toBe(503);
    ground.faults.clear();
    expect((await ground.post(body(true), {}, 'k')).status).toBe(200);
    expect(await ground.post(body(false), {}, 'k')).toMatchObject({ status: 422 });
    expect(ground.stored.size).toBe(2);
  });
});
