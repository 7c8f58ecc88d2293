import { send, type Answer } from '../../support/api-client.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { askToken, makeClientKey, signAssertion } from '../../support/smart-client.js';

const INSIDE = '10.20.0.7';
const OUTSIDE = '10.21.0.7';
const NETWORKS = ['10.20.0.0/16', '2001:db8:1::/48'];

describe('keys and clients that are bound to networks', () => {
  let gateway: SharedGateway;
  let organization: string;

  beforeAll(async () => {
    gateway = await sharedGateway();
    organization = await gateway.createOrganization();
  });

  const askFrom = (address: string | null, key: string): Promise<Answer> =>
    send('GET', `${gateway.baseUrl}/api/v1/usage`, {
      key,
      headers: address === null ? {} : { 'x-forwarded-for': address },
    });

  const createBoundKey = async (allowedNetworks: readonly string[] = NETWORKS) => {
    const { body } = await gateway.admin('POST', `/organizations/${organization}/keys`, {
      environment: 'test',
      scopes: ['analysis:read'],
      allowedNetworks,
    });
    return body as { keyId: string; key: string; allowedNetworks: string[] };
  };

  it.each([['10.20.0.0'], ['10.20.0.0/33'], ['ward'], ['::1/129'], ['']])(
    'refuses the network "%s"',
    async (network) => {
      const { keyId } = await gateway.createKey(organization);
      const answer = await gateway.admin('PATCH', `/keys/${keyId}`, { allowedNetworks: [network] });
      expect([answer.status, answer.body.code]).toEqual([400, 'request.invalid']);
      await gateway.admin('DELETE', `/keys/${keyId}`);
    },
  );

  it('refuse another address, whatever it claims before the proxy, and write it down', async () => {
    const { key, keyId, allowedNetworks } = await createBoundKey();
    expect(allowedNetworks).toEqual(NETWORKS);
    for (const address of [null, OUTSIDE, '2001:db8:2::1', `${INSIDE}, ${OUTSIDE}`]) {
      const { status, body } = await askFrom(address, key);
      expect([address, status, body.code]).toEqual([address, 403, 'auth.network']);
    }
    const row = await eventually('a row of the refusal', async () => {
      const rows = await queryDatabase<{ address: string; key_id: string }>(
        gateway.databaseUrl,
        `select address, key_id from audit_events where organization_id = $1 and refusal = 'auth.network' and address = $2`,
        [organization, OUTSIDE],
      );
      return rows[0];
    });
    expect(row).toEqual({ address: OUTSIDE, key_id: keyId });
    await gateway.admin('DELETE', `/keys/${keyId}`);
  });

  it('work from within, over IPv4 and IPv6, and keep their networks when they are rotated', async () => {
    const { key, keyId } = await createBoundKey();
    for (const address of [INSIDE, '2001:db8:1::7', `${OUTSIDE}, ${INSIDE}`])
      expect([address, (await askFrom(address, key)).status]).toEqual([address, 200]);
    const rotated = (await gateway.admin('POST', `/keys/${keyId}/rotate`, { overlapS: 0 })).body;
    expect(rotated.allowedNetworks).toEqual(NETWORKS);
    expect((await askFrom(OUTSIDE, rotated.key)).status).toBe(403);
    expect((await askFrom(INSIDE, rotated.key)).status).toBe(200);
    await gateway.admin('DELETE', `/keys/${rotated.keyId}`);
  });

  it('are bound and freed while they are in use', async () => {
    const { key, keyId } = await gateway.createKey(organization);
    expect((await askFrom(OUTSIDE, key)).status).toBe(200);
    for (const [allowedNetworks, status] of [
      [NETWORKS, 403],
      [[], 200],
    ] as const) {
      expect((await gateway.admin('PATCH', `/keys/${keyId}`, { allowedNetworks })).body).toMatchObject({
        keyId,
        allowedNetworks,
      });
      await eventually('the change', async () => (await askFrom(OUTSIDE, key)).status === status);
    }
    expect((await gateway.admin('PATCH', `/keys/${organization}`, { allowedNetworks: [] })).status).toBe(404);
  });

  it('give a client a token only within, and its tokens work only there', async () => {
    const clientKey = await makeClientKey('ES384');
    const created = await gateway.admin('POST', `/organizations/${organization}/clients`, {
      name: 'EHR',
      environment: 'test',
      scopes: ['system/*.rs'],
      allowedNetworks: ['127.0.0.0/8'],
      jwks: { keys: [clientKey.publicJwk] },
    });
    const { clientId } = created.body as { clientId: string };
    const tokenUrl = `${gateway.baseUrl}/auth/token`;
    const ask = async () =>
      askToken(tokenUrl, {
        scope: 'system/*.rs',
        client_assertion: await signAssertion(clientId, tokenUrl, clientKey),
      });
    const token = (await ask()).body.access_token as string;
    const read = (address: string) =>
      send('GET', `${gateway.baseUrl}/fhir/Patient`, { key: token, headers: { 'x-forwarded-for': address } });
    expect((await read('127.0.0.1')).status).toBe(200);
    expect((await read(OUTSIDE)).body.issue[0].details.coding[0].code).toBe('auth-network');

    await gateway.admin('PATCH', `/clients/${clientId}`, { allowedNetworks: NETWORKS });
    expect((await read(INSIDE)).status).toBe(200);
    expect(await ask()).toMatchObject({ status: 403, body: { error: 'access_denied', code: 'auth.network' } });
  });
});
