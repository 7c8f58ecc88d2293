import { createLocalJWKSet, decodeProtectedHeader, jwtVerify, type JSONWebKeySet } from 'jose';
import { v7 } from 'uuid';
import { EhrRegister } from '../../../src/core/ehrs/ehr.register.js';
import { PublishedKeyStore } from '../../../src/core/ehrs/published-key.store.js';
import { statedTerms } from '../../../src/core/ehrs/stated-ehr.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { NoAssertionError, PublishedKeys } from '../../../src/ehrs/index.js';
import { DatabaseContext } from '../../support/database-context.js';
import { queryDatabase } from '../../support/database-query.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const TERMS = { clientId: 'sutura', tokenUrl: 'https://ehr.example/token' };
const HOUR_MS = 3_600_000;

describe('the keys by which EHRs know this service', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let now: Date;
  let organizationId: string;

  beforeEach(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url);
    now = new Date();
    const tenant = await context.createTenant();
    ({ organizationId } = tenant);
    await register(tenant);
  });
  afterEach(async () => {
    await context?.close();
    await database?.drop();
  });

  const register = async (tenant: Tenant) => {
    const [at, name] = [new Date(), v7()];
    const terms = statedTerms({ name, fhirBaseUrl: `https://${name}.example` });
    await context.get(EhrRegister).add({ ...tenant, id: v7(), ...terms, createdAt: at, updatedAt: at });
  };

  /** With an EHR. */
  const another = async (): Promise<string> => {
    const tenant = await context.createTenant();
    await register(tenant);
    return tenant.organizationId;
  };
  /** As each process has them. */
  const process = () => new PublishedKeys(context.get(PublishedKeyStore), { now: () => now }, { next: () => v7() });
  const kidsOf = async (keys: PublishedKeys) =>
    (await keys.keySetOf(organizationId)).keys.map(({ kid }) => kid as string);
  const signer = async (keys: PublishedKeys, algorithms?: readonly string[]) =>
    decodeProtectedHeader(await keys.assert({ organizationId, ...TERMS, algorithms })).kid;

  it('are made once, though two processes need them at the same moment, and never with a private half', async () => {
    const sets = await Promise.all([process().keySetOf(organizationId), process().keySetOf(organizationId)]);
    expect(sets[0]).toEqual(sets[1]);
    expect(sets[0]!.keys.map(({ alg }) => alg).sort()).toEqual(['ES384', 'RS384']);
    const members = new Set(sets[0]!.keys.flatMap((key) => Object.keys(key)));
    expect([...members].sort()).toEqual(['alg', 'crv', 'e', 'key_ops', 'kid', 'kty', 'n', 'use', 'x', 'y']);
  });

  it('are of nobody who does not exist', async () => {
    for (const id of [v7(), 'x', `${organizationId}'`]) {
      await expect(process().keySetOf(id)).rejects.toMatchObject({ code: 'organization.not_found' });
      await expect(process().assert({ organizationId: id, ...TERMS })).rejects.toMatchObject({
        code: 'organization.not_found',
      });
    }
  });

  it('are each organization’s own: what one signs, nobody takes who trusts another', async () => {
    const other = await another();
    const keys = process();
    const trusted = createLocalJWKSet((await keys.keySetOf(organizationId)) as JSONWebKeySet);
    const forged = await keys.assert({ organizationId: other, ...TERMS });
    await expect(jwtVerify(forged, trusted)).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
    const before = await kidsOf(keys);
    await keys.rotate(other, true);
    expect(await kidsOf(process())).toEqual(before);
  });

  it('are made once for many who ask at the same moment', async () => {
    const second = await another();
    const made: string[] = [];
    const counted = () =>
      new PublishedKeys(context.get(PublishedKeyStore), { now: () => now }, { next: () => (made.push(''), v7()) });
    const keys = counted();
    const sets = await Promise.all(Array.from({ length: 8 }, () => keys.keySetOf(organizationId)));
    expect([new Set(sets.map((set) => JSON.stringify(set))).size, made.length]).toEqual([1, 2]);
    await Promise.all([process().keySetOf(second), counted().keySetOf(second)]);
    expect((await process().keySetOf(second)).keys).toHaveLength(2);
  });

  it('are made for nobody who has no EHR, whoever asks, and at once for whoever registers one', async () => {
    const tenant = await context.createTenant();
    const [keys, id] = [process(), tenant.organizationId];
    expect(await keys.keySetOf(id)).toEqual({ keys: [] });
    expect(await keys.rotate(id, true)).toEqual([]);
    await expect(keys.assert({ organizationId: id, ...TERMS })).rejects.toMatchObject({ code: 'ehr.not_found' });
    const made = 'select organization_id from published_keys';
    expect(await queryDatabase(database.url, made)).toEqual([]);
    await register(tenant);
    expect((await keys.keySetOf(id)).keys).toHaveLength(2);
  });

  it('are served without a name of an installation’s only organization, and never of one of two, whoever was first', async () => {
    const keys = process();
    expect(await keys.keySet()).toEqual(await keys.keySetOf(organizationId));
    expect([await keys.isOnly(organizationId), await keys.isOnly(v7())]).toEqual([true, false]);
    // It has no EHR: nor is it the one whose keys another's EHR reads.
    const second = await context.createTenant();
    expect(await keys.keySet()).toEqual({ keys: [] });
    await register(second);
    await keys.keySetOf(second.organizationId);
    await keys.rotate(organizationId, true);
    expect([await keys.keySet(), await process().keySet()]).toEqual([{ keys: [] }, { keys: [] }]);
    expect(await keys.isOnly(organizationId)).toBe(false);
  });

  it('sign an assertion that holds for five minutes at most, for one address, each with an id of its own', async () => {
    const keys = process();
    const verify = async (assertion: string) => {
      const set = createLocalJWKSet((await keys.keySetOf(organizationId)) as JSONWebKeySet);
      const { payload, protectedHeader } = await jwtVerify(assertion, set, {
        audience: TERMS.tokenUrl,
        issuer: 'sutura',
        subject: 'sutura',
      });
      return { ...payload, alg: protectedHeader.alg };
    };
    const one = await verify(await keys.assert({ organizationId, ...TERMS }));
    const other = await verify(await keys.assert({ organizationId, ...TERMS, algorithms: ['RS384', 'RS256'] }));
    expect([one.alg, other.alg]).toEqual(['ES384', 'RS384']);
    expect(one.exp! - one.iat!).toBeLessThanOrEqual(300);
    expect(one.jti).not.toBe(other.jti);
    await expect(keys.assert({ organizationId, ...TERMS, algorithms: ['RS256'] })).rejects.toThrow(NoAssertionError);
  });

  it('sign an hour longer once they are replaced, and stay published for a day after that', async () => {
    const keys = process();
    const before = await kidsOf(keys);
    const old = await signer(keys);
    const rotated = await keys.rotate(organizationId, false);
    expect(rotated).toHaveLength(4);
    expect(await signer(keys)).toBe(old);
    now = new Date(now.getTime() + HOUR_MS + 1000);
    expect(before).not.toContain(await signer(process()));
    expect(await kidsOf(process())).toEqual(expect.arrayContaining(before));
    await queryDatabase(
      database.url,
      `update published_keys set signs_until = now() - interval '25 hours' where signs_until is not null`,
    );
    const after = await kidsOf(process());
    expect(after).toHaveLength(2);
    expect(after.filter((kid) => before.includes(kid))).toEqual([]);
  });

  it('can be replaced twice within the hour, and one signs at each moment', async () => {
    const keys = process();
    const old = await signer(keys);
    await keys.rotate(organizationId, false);
    now = new Date(now.getTime() + HOUR_MS / 6);
    await keys.rotate(organizationId, false);
    expect(await signer(process())).toBe(old);
    now = new Date(now.getTime() + HOUR_MS - 60_000);
    const second = await signer(process());
    now = new Date(now.getTime() + 120_000);
    const third = await signer(process());
    expect(new Set([old, second, third]).size).toBe(3);
  });

  it('are gone at once where they have to be', async () => {
    const keys = process();
    const before = await kidsOf(keys);
    const after = (await keys.rotate(organizationId, true)).map(({ kid }) => kid);
    expect(after.filter((kid) => before.includes(kid))).toEqual([]);
    expect(after).toContain(await signer(keys));
    expect(await kidsOf(process())).toEqual(await kidsOf(keys));
  });
});
