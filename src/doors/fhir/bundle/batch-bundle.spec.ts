import { SuturaError } from '../../../core/errors/sutura-error.js';
import { BASE, BundleGround } from '../../../../test/support/bundle-ground.js';

const PATIENT = { resourceType: 'Patient' };
const create = (resource: object = PATIENT, more: object = {}) => ({
  resource,
  request: { method: 'POST', url: (resource as { resourceType: string }).resourceType },
  ...more,
});
const wound = (reference: string) => ({ resourceType: 'BodyStructure', patient: { reference } });
const batch = (...entry: unknown[]) => ({ resourceType: 'Bundle', type: 'batch', entry });

let ground: BundleGround;
beforeEach(() => {
  ground = new BundleGround();
});

describe('a batch', () => {
  it('answers each entry for itself, in the order of the request', async () => {
    ground.keep({ resourceType: 'Patient', id: '1' });
    ground.keep({ resourceType: 'Patient', id: '2' });
    ground.keep({ resourceType: 'Patient', id: '3' });
    ground.matches.set('Patient?identifier=a', ['1']);
    const reply = await ground.post(
      batch(
        create({ resourceType: 'Patient', active: 'yes' }),
        create(),
        { request: { method: 'DELETE', url: 'Patient/3' } },
        { request: { method: 'GET', url: 'Patient/1' } },
        { request: { method: 'GET', url: 'Patient/9' } },
        { resource: PATIENT, request: { method: 'POST', url: 'Patient', ifNoneExist: 'identifier=a' } },
        { resource: { ...PATIENT, id: '2' }, request: { method: 'PUT', url: 'Patient/2' } },
        { request: { method: 'GET', url: 'Patient?name=x' } },
      ),
    );
    expect(reply).toMatchObject({ status: 200, body: { resourceType: 'Bundle', type: 'batch-response' } });
    expect(reply.body.entry?.map(({ response }) => response?.status)).toEqual([
      '400 Bad Request',
      '201 Created',
      '204 No Content',
      '200 OK',
      '404 Not Found',
      '200 OK',
      '200 OK',
      '200 OK',
    ]);
    expect(reply.body.entry?.[0]?.response?.outcome).toMatchObject({
      resourceType: 'OperationOutcome',
      issue: [{ expression: ['Bundle.entry[0].resource.active'] }],
    });
    expect(reply.body.entry?.[3]?.resource).toMatchObject({ id: '1' });
    expect(ground.discarded).toEqual(['Patient']);
    expect(ground.log.filter((line) => line.startsWith('audit')).sort()).toEqual([
      'audit create',
      'audit create',
      'audit delete',
      'audit read',
      'audit search-type',
      'audit update',
    ]);
  });

  it('keeps nothing of an entry that fails late, and everything of the others', async () => {
    ground.faults.set('settle', new SuturaError('quota.exceeded'));
    const reply = await ground.post(batch(create(), { request: { method: 'GET', url: 'Patient?a=b' } }));
    expect(reply.body.entry?.map(({ response }) => response?.status)).toEqual(['429 Too Many Requests', '200 OK']);
    expect([ground.stored.size, ground.discarded]).toEqual([0, ['Patient']]);
  });

  it('answers a fault of the service as one of that entry, and says nothing of it', async () => {
    ground.faults.set('create Patient', new TypeError('secret'));
    const reply = await ground.post(batch(create()));
    expect(reply.body.entry?.[0]?.response).toMatchObject({
      status: '500 Internal Server Error',
      outcome: { issue: [{ code: 'exception' }] },
    });
    expect(JSON.stringify(reply.body)).not.toContain('secret');
  });

  it.each([
    ['another entry', 'urn:uuid:p'],
    ['an entry that there is not', 'urn:uuid:q'],
    ['what criteria match', 'Patient?identifier=a'],
  ])('refuses an entry that refers to %s', async (_, reference) => {
    ground.keep({ resourceType: 'Patient', id: '1' });
    ground.matches.set('Patient?identifier=a', ['1']);
    const reply = await ground.post(batch(create(PATIENT, { fullUrl: 'urn:uuid:p' }), create(wound(reference))));
    expect(reply.body.entry?.map(({ response }) => response?.status)).toEqual(['201 Created', '400 Bad Request']);
    expect(reply.body.entry?.[1]?.response?.outcome).toMatchObject({
      issue: [{ expression: ['Bundle.entry[1].resource.patient.reference'] }],
    });
  });

  it('takes a reference to what another entry changes, since that is there already', async () => {
    ground.keep({ resourceType: 'Patient', id: '1' });
    const put = {
      fullUrl: `${BASE}/Patient/1`,
      resource: { ...PATIENT, id: '1' },
      request: { method: 'PUT', url: 'Patient/1' },
    };
    const reply = await ground.post(batch(put, create(wound('Patient/1'))));
    expect(reply.body.entry?.map(({ response }) => response?.status)).toEqual(['200 OK', '201 Created']);
  });

  it('with an Idempotency-Key does the rest when it is repeated, and refuses entries that are others', async () => {
    ground.faults.set('create BodyStructure', new SuturaError('service.unavailable'));
    const body = () => batch(create(), create(wound('Patient/1')), { request: { method: 'GET', url: 'Patient?a=b' } });
    const status = (reply: Awaited<ReturnType<BundleGround['post']>>) =>
      reply.body.entry?.map(({ response }) => response?.status);
    const first = await ground.post(body(), {}, 'k');
    expect(status(first)).toEqual(['201 Created', '503 Service Unavailable', '200 OK']);
    ground.faults.clear();
    const second = await ground.post(body(), {}, 'k');
    expect(status(second)).toEqual(['201 Created', '201 Created', '200 OK']);
    expect(second.body.entry?.[0]).toEqual(first.body.entry?.[0]);
    expect([...ground.stored.keys()]).toEqual(['Patient/n1', 'BodyStructure/n3']);
    expect(status(await ground.post(batch(create({ ...PATIENT, active: true })), {}, 'k'))).toEqual([
      '422 Unprocessable Entity',
    ]);
  });
});
