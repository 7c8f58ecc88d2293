import type { Bundle, Patient, Resource } from '@medplum/fhirtypes';
import { v7 } from 'uuid';
import type { Scope } from '../../../../src/core/tenancy/api-key.js';
import type { Tenant } from '../../../../src/core/tenancy/tenant.js';
import { HistoryReading } from '../../../../src/doors/fhir/interactions/history-reading.js';
import type { Author } from '../../../../src/standards/fhir/store/resource-store.js';
import { DatabaseContext } from '../../../support/database-context.js';
import { queryDatabase } from '../../../support/database-query.js';
import { BASE, FhirGround } from '../../../support/fhir-ground.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';
import { inTheNameOf } from '../../../support/in-the-name-of.js';

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const patient = (id: string, more: Partial<Patient> = {}): Patient => ({ resourceType: 'Patient', id, ...more });

describe('the history of a type', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let ground: FhirGround;
  let tenant: Tenant;

  beforeAll(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url);
    ground = new FhirGround(context);
  });
  afterAll(async () => {
    await context?.close();
    await database?.drop();
  });
  beforeEach(async () => {
    tenant = await context.createTenant();
  });

  const insert = (resource: Resource, second: number, author?: Author) => {
    ground.now = at(second);
    return ground.insert(tenant, resource, author);
  };
  const change = (resource: Resource, second: number) =>
    ground.inTenant(tenant, async (transaction) => {
      ground.now = at(second);
      const current = await ground.store.findForUpdate(transaction, resource.resourceType, resource.id!);
      return ground.store.replace(transaction, current!, resource, { kind: 'client', keyId: v7() });
    });
  const read = (
    request: string,
    caller: { keyId?: string; scopes?: readonly Scope[] } = {},
    by = tenant,
  ): Promise<Bundle> => {
    const [path = '', query = ''] = request.replace(`${BASE}/`, '').split('?');
    const type = path === '_history' ? null : path.split('/')[0]!;
    const histories = new HistoryReading(ground.store);
    return ground.call(
      by,
      async (call) =>
        (
          await (type === null
            ? histories.ofSystem(call, new URLSearchParams(query))
            : histories.ofType(call, type, new URLSearchParams(query)))
        ).body as Bundle,
      caller,
    );
  };
  const shown = (bundle: Bundle): string[] =>
    (bundle.entry ?? []).map(({ resource }) => `${resource!.id}/${resource!.meta!.versionId}`);
  const linkOf = (bundle: Bundle, relation: string): string | undefined =>
    bundle.link!.find((link) => link.relation === relation)?.url;
  const follow = async (first: Bundle): Promise<Bundle[]> => {
    const pages = [first];
    for (let next = linkOf(first, 'next'); next !== undefined; next = linkOf(pages.at(-1)!, 'next'))
      pages.push(await read(next));
    return pages;
  };

  it('is refused with a cursor of nowhere, a time that is none, and a size that is no number', async () => {
    for (const query of [
      '_cursor=abc',
      '_cursor=1-0-1',
      '_cursor=1-99999999999999999999-1',
      '_since=yesterday',
      '_count=-1',
    ])
      await expect(read(`Patient/_history?${query}`)).rejects.toMatchObject({ code: 'request.invalid' });
  });

  it('is refused to a key without a scope for it, and shows a key that only writes what it made', async () => {
    const [mine, other] = [v7(), v7()];
    await insert(patient('mine'), 1, { kind: 'client', keyId: mine });
    await insert(patient('other'), 2, { kind: 'client', keyId: other });
    await change(patient('mine', { active: true }), 3);
    await expect(read('Patient/_history', { scopes: ['analysis:review'] })).rejects.toMatchObject({
      code: 'auth.scope',
    });
    await expect(read('_history', { scopes: ['webhooks:manage'] })).rejects.toMatchObject({ code: 'auth.scope' });
    await expect(read('Device/_history')).rejects.toMatchObject({ code: 'fhir.interaction_not_supported' });
    for (const address of ['Patient/_history', '_history'])
      expect(shown(await read(address, { keyId: mine, scopes: ['images:write'] }))).toEqual(['mine/2', 'mine/1']);
    expect(shown(await read('Patient/_history'))).toEqual(['mine/2', 'other/1', 'mine/1']);
  });

  it('is of one organization and environment', async () => {
    await insert(patient('here'), 1);
    await change(patient('here', { active: true }), 2);
    for (const asker of [await context.createTenant(), { ...tenant, environment: 'live' as const }])
      for (const address of ['Patient/_history', '_history'])
        expect(await read(address, {}, asker)).not.toHaveProperty('entry');
    // Asked in the name of the owner: row-level security alone stands between.
    const stranger = await context.createTenant();
    const wish = { types: [{ type: 'Patient', own: false }], keyId: v7(), since: null, before: null, limit: 10 };
    const stolen = ground.inTenant(stranger, (transaction) =>
      ground.store.changes(inTheNameOf(tenant, transaction), wish),
    );
    expect(await stolen).toEqual({
      versions: [],
      hasMore: false,
      last: null,
    });
    expect(
      (await ground.inTenant(tenant, (transaction) => ground.store.changes(transaction, wish))).versions,
    ).toHaveLength(2);
  });

  it('has every version of every resource once, newest first, page by page', async () => {
    const wanted: string[] = [];
    for (let number = 0; number < 7; number += 1) {
      await insert(patient(`p${number}`), number);
      wanted.push(`p${number}/1`);
    }
    // Three at one moment, so that a page ends within it.
    for (const [second, number] of [
      [10, 3],
      [10, 1],
      [10, 3],
      [11, 3],
    ] as const) {
      const { version } = await change(patient(`p${number}`, { active: second % 2 === 0 }), second);
      wanted.push(`p${number}/${version}`);
    }
    const pages = await follow(await read('Patient/_history?_count=2'));
    expect(pages.map((page) => shown(page).length)).toEqual([2, 2, 2, 2, 2, 1]);
    const all = pages.flatMap(shown);
    expect([...all].sort()).toEqual([...wanted].sort());
    const moments = pages.flatMap(({ entry }) => entry!.map(({ response }) => response!.lastModified!));
    expect(moments).toEqual([...moments].sort().reverse());
    expect(all.filter((each) => each.startsWith('p3/'))).toEqual(['p3/4', 'p3/3', 'p3/2', 'p3/1']);
    expect(pages[0]!.entry![0]).toMatchObject({
      fullUrl: `${BASE}/Patient/p3`,
      request: { method: 'PUT', url: 'Patient/p3' },
      response: { status: '200', etag: 'W/"4"' },
    });
    expect(pages.at(-1)!.entry![0]).toMatchObject({
      request: { method: 'POST', url: 'Patient' },
      response: { status: '201', etag: 'W/"1"' },
    });
  });

  it('stays true while resources are changed: nothing is left out, nothing comes twice', async () => {
    for (let number = 0; number < 6; number += 1) await insert(patient(`p${number}`), number);
    const first = await read('Patient/_history?_count=2');
    await change(patient('p4', { active: true }), 20);
    await change(patient('p1', { active: true }), 21);
    await insert(patient('new'), 22);
    expect((await follow(first)).flatMap(shown)).toEqual(['p5/1', 'p4/1', 'p3/1', 'p2/1', 'p1/1', 'p0/1']);
    expect(shown(await read('Patient/_history?_count=3'))).toEqual(['new/1', 'p1/2', 'p4/2']);
  });

  it('begins where it is asked to, on every page', async () => {
    for (let number = 0; number < 5; number += 1) await insert(patient(`p${number}`), number);
    const pages = await follow(await read(`Patient/_history?_count=2&_since=${at(2).toISOString()}`));
    expect(pages.flatMap(shown)).toEqual(['p4/1', 'p3/1', 'p2/1']);
    expect(linkOf(pages[0]!, 'self')).toBe(
      `${BASE}/Patient/_history?_count=2&_since=${encodeURIComponent(at(2).toISOString())}`,
    );
    expect(shown(await read('Patient/_history?_since=2026-01-01T01:00:03+01:00'))).toEqual(['p4/1', 'p3/1']);
    for (const since of ['2131-01-01', '275760-09-13'])
      expect(await read(`Patient/_history?_since=${since}`)).not.toHaveProperty('entry');
    expect(shown(await read('Patient/_history?_since=-271821-04-20T00:00:00.000Z'))).toHaveLength(5);
  });

  it('of all types has the versions of each in one order', async () => {
    await insert(patient('p'), 1);
    await insert({ resourceType: 'Organization', id: 'o', name: 'Ward' }, 2);
    await change(patient('p', { active: true }), 3);
    await insert({ resourceType: 'Device', id: 'd' }, 4);
    const pages = await follow(await read('_history?_count=1'));
    expect(pages.flatMap(shown)).toEqual(['p/2', 'o/1', 'p/1']);
    expect(linkOf(pages[0]!, 'self')).toBe(`${BASE}/_history?_count=1`);
  });

  it('ends a page sooner where versions are large', async () => {
    const large = {
      text: {
        status: 'generated',
        div: `<div xmlns="http://www.w3.org/1999/xhtml">${'x'.repeat(3 * 1024 * 1024)}</div>`,
      },
    } as const;
    for (let number = 0; number < 6; number += 1) await insert(patient(`p${number}`, large), number);
    const pages = await follow(await read('Patient/_history'));
    expect(pages.map((page) => shown(page).length)).toEqual([3, 3]);
  });

  it('has the versions from before it was kept', async () => {
    await insert(patient('p'), 1);
    for (const second of [2, 3]) await change(patient('p', { active: second === 2 }), second);
    const kept = await queryDatabase(database.url, 'select * from fhir_past_versions order by resource, version');
    await queryDatabase(database.url, 'delete from fhir_past_versions');
    const { OrderPastVersions1764780400000 } =
      await import('../../../../migrations/1764780400000-order-past-versions.js');
    const statements: string[] = [];
    await new OrderPastVersions1764780400000().up({
      query: (sql: string) => Promise.resolve(void statements.push(sql)),
    } as never);
    await queryDatabase(
      database.url,
      statements.find((sql) => sql.startsWith('insert into fhir_past_versions'))!,
    );
    expect(await queryDatabase(database.url, 'select * from fhir_past_versions order by resource, version')).toEqual(
      kept,
    );
    expect(shown(await read('Patient/_history'))).toEqual(['p/3', 'p/2', 'p/1']);
  });
});
