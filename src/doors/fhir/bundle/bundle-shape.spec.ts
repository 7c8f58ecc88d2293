import { BundleGround } from '../../../../test/support/bundle-ground.js';

const ground = new BundleGround();
const PATIENT = { resourceType: 'Patient' };
const CREATE = { resource: PATIENT, request: { method: 'POST', url: 'Patient' } };
const GET = { request: { method: 'GET', url: 'Patient/1' } };
const transaction = (...entry: unknown[]) => ({ resourceType: 'Bundle', type: 'transaction', entry });
const nested = (resource: unknown) => ({
  resource: transaction({ resource }),
  request: { method: 'POST', url: 'Bundle' },
});

describe('a Bundle', () => {
  it.each<[string, unknown, number, string, string | undefined]>([
    ['that is no object', [], 400, 'invalid', 'Bundle'],
    ['of nothing', undefined, 400, 'invalid', 'Bundle'],
    ['that is another resource', PATIENT, 400, 'invalid', 'Bundle'],
    ['without a type', { resourceType: 'Bundle' }, 400, 'required', 'Bundle.type'],
    ['of type message', { resourceType: 'Bundle', type: 'message' }, 400, 'not-supported', 'Bundle.type'],
    ['of type document', { resourceType: 'Bundle', type: 'document' }, 400, 'not-supported', 'Bundle.type'],
    ['of type collection', { resourceType: 'Bundle', type: 'collection' }, 400, 'not-supported', 'Bundle.type'],
    ['with an unknown element', { ...transaction(CREATE), entries: [] }, 400, 'structure', 'Bundle.entries'],
    [
      'with an unknown element in an entry',
      transaction(CREATE, { ...CREATE, respones: {} }),
      400,
      'structure',
      'Bundle.entry[1].respones',
    ],
    ['whose entries are none', { ...transaction(), entry: 'x' }, 400, 'structure', 'Bundle.entry'],
    ['whose list of entries is empty', transaction(), 400, 'structure', 'Bundle.entry'],
    ['with an entry that is none', transaction(CREATE, 5), 400, 'structure', 'Bundle.entry[1]'],
    ['with an entry that is null', transaction(null), 400, 'structure', 'Bundle.entry[0]'],
    [
      'with an entry without a request',
      transaction(CREATE, { resource: PATIENT }),
      400,
      'required',
      'Bundle.entry[1].request',
    ],
    [
      'with an unknown method',
      transaction({ ...CREATE, request: { method: 'MOVE', url: 'Patient' } }),
      400,
      'code-invalid',
      'Bundle.entry[0].request.method',
    ],
    [
      'with a url that is none',
      transaction({ request: { method: 'GET', url: 'nowhere/at/all' } }),
      400,
      'invalid',
      'Bundle.entry[0].request.url',
    ],
    [
      'with a POST to a resource',
      transaction({ ...CREATE, request: { method: 'POST', url: 'Patient/1' } }),
      400,
      'invalid',
      'Bundle.entry[0].request.url',
    ],
    [
      'with a PUT of a type',
      transaction({ ...CREATE, request: { method: 'PUT', url: 'Patient' } }),
      400,
      'invalid',
      'Bundle.entry[0].request.url',
    ],
    [
      'with a patch of a type',
      transaction({ ...CREATE, request: { method: 'PATCH', url: 'Patient' } }),
      400,
      'invalid',
      'Bundle.entry[0].request.url',
    ],
    [
      'that changes what the same criteria match twice',
      transaction(
        ...['a=1&b=2', 'b=2&a=1'].map((criteria) => ({
          ...CREATE,
          request: { method: 'PUT', url: `Patient?${criteria}` },
        })),
      ),
      400,
      'invalid',
      'Bundle.entry[1].request.url',
    ],
    [
      'with a DELETE of a type',
      transaction(CREATE, { request: { method: 'DELETE', url: 'Patient' } }),
      400,
      'invalid',
      'Bundle.entry[1].request.url',
    ],
    [
      'that deletes and changes a resource',
      transaction(
        { request: { method: 'DELETE', url: 'Patient/1' } },
        { resource: { ...PATIENT, id: '1' }, request: { method: 'PUT', url: 'Patient/1' } },
      ),
      400,
      'invalid',
      'Bundle.entry[1].request.url',
    ],
    [
      'with an operation',
      transaction({ ...CREATE, request: { method: 'POST', url: 'Media/1/$analyze' } }),
      405,
      'not-supported',
      'Bundle.entry[0]',
    ],
    [
      'with a type that is not served',
      transaction(CREATE, { resource: { resourceType: 'Account' }, request: { method: 'POST', url: 'Account' } }),
      404,
      'not-supported',
      'Bundle.entry[1]',
    ],
    [
      'with a create of nothing',
      transaction({ request: { method: 'POST', url: 'Patient' } }),
      400,
      'required',
      'Bundle.entry[0].resource',
    ],
    ['with a Bundle within', transaction(CREATE, nested(PATIENT)), 400, 'not-supported', 'Bundle.entry[1].resource'],
    ['with Bundles within a Bundle within', transaction(nested(transaction())), 413, 'too-long', undefined],
    ['of 501 entries', transaction(...Array.from({ length: 501 }, () => GET)), 413, 'too-long', undefined],
    [
      'with one fullUrl twice',
      transaction(
        { fullUrl: 'urn:uuid:a', ...CREATE },
        { fullUrl: 'urn:uuid:b', ...CREATE },
        { fullUrl: 'urn:uuid:A', ...CREATE },
      ),
      400,
      'invalid',
      'Bundle.entry[2].fullUrl',
    ],
    [
      'with a fullUrl of one version',
      transaction({ fullUrl: 'http://a.test/Patient/1/_history/1', ...CREATE }),
      400,
      'invariant',
      undefined,
    ],
    [
      'that changes a resource twice',
      transaction(
        { resource: { ...PATIENT, id: '1' }, request: { method: 'PUT', url: 'Patient/1' } },
        { resource: { resourceType: 'Binary' }, request: { method: 'PATCH', url: '/Patient/1' } },
      ),
      400,
      'invalid',
      'Bundle.entry[1].request.url',
    ],
    [
      'with the same criteria twice',
      transaction(
        ...['a=1&b=2', 'b=2&a=1'].map((ifNoneExist) => ({ ...CREATE, request: { ...CREATE.request, ifNoneExist } })),
      ),
      400,
      'invalid',
      'Bundle.entry[1].request.ifNoneExist',
    ],
    [
      'with criteria that name an entry',
      transaction(
        { fullUrl: 'urn:uuid:1', ...CREATE },
        {
          resource: { resourceType: 'BodyStructure' },
          request: { method: 'POST', url: 'BodyStructure', ifNoneExist: 'identifier=a|b&patient=urn:uuid:1' },
        },
      ),
      400,
      'invalid',
      'Bundle.entry[1].request.ifNoneExist',
    ],
  ])('%s is refused', async (_, body, status, code, expression) => {
    const reply = await ground.post(body);
    expect(reply).toMatchObject({
      status,
      body: { resourceType: 'OperationOutcome', issue: [{ severity: 'error', code }] },
    });
    const [issue] = reply.body.issue;
    expect(issue?.details?.text).toBeTruthy();
    if (expression === undefined) expect(issue?.expression?.[0] ?? 'Bundle').toMatch(/^Bundle/);
    else expect(issue?.expression).toEqual([expression]);
    expect(ground.transactions).toBe(0);
  });

  it('names entries behind the first fifty by their own number', async () => {
    const reply = await ground.post(transaction(...Array.from({ length: 70 }, () => GET), { ...GET, unknown: 5 }));
    expect(reply.body.issue[0]?.expression?.[0]).toMatch(/^Bundle\.entry\[70\]/);
  });

  it('without entries has none in its answer', async () => {
    expect(await ground.post({ resourceType: 'Bundle', type: 'transaction' })).toMatchObject({
      status: 200,
      body: { resourceType: 'Bundle', type: 'transaction-response' },
    });
    expect(await ground.post({ resourceType: 'Bundle', type: 'batch' })).toMatchObject({
      status: 200,
      body: { type: 'batch-response' },
    });
  });
});
