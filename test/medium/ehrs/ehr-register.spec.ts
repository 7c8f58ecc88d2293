import { randomBytes, randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import type { Ehr, EhrChange } from '../../../src/core/ehrs/ehr.js';
import { EhrRegistry } from '../../../src/core/ehrs/ehr-registry.js';
import { EhrRegister } from '../../../src/core/ehrs/ehr.register.js';
import { EhrTokenLedger } from '../../../src/core/ehrs/ehr-token.ledger.js';
import { statedTerms, type StatedEhr } from '../../../src/core/ehrs/stated-ehr.js';
import { LaunchStates } from '../../../src/core/launch/launch-states.js';
import { ReviewLinkRepository } from '../../../src/core/report/review-link.js';
import { UnitOfWork } from '../../../src/core/ports/unit-of-work.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { statementsOf } from '../../../src/platform/database/unit-of-work.js';
import { DatabaseContext } from '../../support/database-context.js';
import { queryDatabase } from '../../support/database-query.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

describe('the register of EHRs', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let register: EhrRegister;
  let tenant: Tenant;

  beforeAll(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url);
    register = context.get(EhrRegister);
  });
  afterAll(async () => {
    await context?.close();
    await database?.drop();
  });
  beforeEach(async () => {
    tenant = await context.createTenant();
  });

  const newBase = () => `https://ehr.example/${randomUUID()}`;
  function ehrOf(stated: StatedEhr = {}, of: Tenant = tenant): Ehr {
    const terms = statedTerms({
      name: 'EHR',
      fhirBaseUrl: newBase(),
      patientSystem: 'https://h.example/mrn',
      ...stated,
    });
    const createdAt = new Date('2026-11-30T08:00:00Z');
    const { organizationId, environment } = of;
    return { id: v7(), organizationId, environment, ...terms, createdAt, updatedAt: createdAt };
  }
  const added = async (stated: StatedEhr = {}, of: Tenant = tenant): Promise<Ehr> => {
    const ehr = ehrOf(stated, of);
    await register.add(ehr);
    return ehr;
  };
  const cdsOf = (issuer: string, base: string) => ({ fhirBaseUrl: base, cds: { issuer, jwksUrl: `${base}/jwks` } });

  it('refuses a base that is registered, whichever organization and environment has it, however it is spelled', async () => {
    const { fhirBaseUrl, organizationId } = await added();
    for (const other of [tenant, { organizationId, environment: 'live' as const }, await context.createTenant()])
      await expect(register.add(ehrOf({ fhirBaseUrl: `${fhirBaseUrl}/` }, other))).rejects.toMatchObject({
        code: 'ehr.taken',
      });
    const other = await added();
    await expect(register.change(organizationId, other.id, () => ({ fhirBaseUrl }))).rejects.toMatchObject({
      code: 'ehr.taken',
    });
    expect((await register.find(organizationId, other.id))?.fhirBaseUrl).toBe(other.fhirBaseUrl);
  });

  it('refuses it in other capitals too, which many servers do not tell apart', async () => {
    const { fhirBaseUrl } = await added({ fhirBaseUrl: `${newBase()}/fhir` });
    await expect(
      added({ fhirBaseUrl: fhirBaseUrl.replace('/fhir', '/FHIR') }, await context.createTenant()),
    ).rejects.toMatchObject({ code: 'ehr.taken' });
  });

  it('refuses an issuer of cards that is registered, and gives it free with the registration', async () => {
    const issuer = `urn:issuer:${randomUUID()}`;
    const { id, organizationId } = await added(cdsOf(issuer, newBase()));
    const elsewhere = await context.createTenant();
    await expect(added(cdsOf(issuer, newBase()), elsewhere)).rejects.toMatchObject({ code: 'ehr.taken' });
    expect(await register.remove(organizationId, id)).toBe(true);
    await expect(added(cdsOf(issuer, newBase()), elsewhere)).resolves.toBeDefined();
  });

  it('lets one of two through that register the same base at the same moment', async () => {
    const fhirBaseUrl = newBase();
    const ends = await Promise.allSettled([
      added({ fhirBaseUrl }),
      added({ fhirBaseUrl }, await context.createTenant()),
    ]);
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(ends.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'ehr.taken' } });
  });

  it('is found by its base and its issuer by everybody, by its id within its organization alone', async () => {
    const issuer = `urn:issuer:${randomUUID()}`;
    const ehr = await added(cdsOf(issuer, newBase()));
    const { organizationId } = await context.createTenant();
    expect((await register.byFhirBaseUrl(`${ehr.fhirBaseUrl}/`))?.id).toBe(ehr.id);
    expect((await register.byCdsIssuer(issuer))?.id).toBe(ehr.id);
    expect(await register.byCdsIssuer(`${issuer}/`)).toBeNull();
    expect(await register.byCdsIssuer('\0')).toBeNull();
    expect(await register.find(organizationId, ehr.id)).toBeNull();
    expect(await register.find(ehr.organizationId, 'x')).toBeNull();
    expect(await register.remove(organizationId, ehr.id)).toBe(false);
    expect(await register.find(ehr.organizationId, ehr.id)).toEqual(ehr);
  });

  it('keeps secrets as they were stated through changes of everything else', async () => {
    const ehr = await added({
      launch: { clientId: 'a', clientType: 'symmetric', clientSecret: 'first secret' },
      push: { auth: 'bearer', token: 'first token' },
    });
    const changed = await register.change(ehr.organizationId, ehr.id, () => ({ name: 'Another' }));
    expect(changed).toMatchObject({ name: 'Another', launch: ehr.launch, push: ehr.push });
    expect(await register.find(ehr.organizationId, ehr.id)).toEqual(changed);
    const [row] = await queryDatabase(database.url, 'select launch, push from ehrs where id = $1', [ehr.id]);
    expect(JSON.stringify(row)).not.toMatch(/first/);
  });

  it('lists every registration where the secret of one cannot be read, and stands for that one by none', async () => {
    const push = { enabled: true, dialect: 'us-core-note', auth: 'bearer', token: 'a token', send: ['pdf'] } as const;
    const [broken, sound] = [await added({ push }), await added({ push: { ...push, token: 'another' } })];
    await queryDatabase(database.url, `update ehrs set push_token = 'v1.AAAA' where id = $1`, [broken.id]);
    const tokensOf = (ehrs: readonly Ehr[]) =>
      [broken, sound].map(({ id }) => ehrs.find((ehr) => ehr.id === id)?.push?.token);
    expect(tokensOf(await register.pushing())).toEqual([null, 'another']);
    expect(tokensOf(await register.list(tenant.organizationId))).toEqual([null, 'another']);
  });

  it('opens no launch whose own secret cannot be read, and says why', async () => {
    const launch = { clientId: 'a', clientType: 'symmetric', clientSecret: 'a secret' } as const;
    const { id, fhirBaseUrl } = await added({ launch });
    await queryDatabase(database.url, `update ehrs set launch_secret = 'v1.AAAA' where id = $1`, [id]);
    const asked = [() => register.find(tenant.organizationId, id), () => register.byFhirBaseUrl(fhirBaseUrl)];
    for (const ask of asked)
      await expect(ask()).rejects.toMatchObject({ code: expect.stringMatching(/^storage\./) as string });
  });

  describe('whose token cannot be read', () => {
    const KEPT = 'v1.AAAA';
    let broken: Ehr;
    let registry: EhrRegistry;
    const kept = async () => {
      const sql = 'select name, push_token from ehrs where id = $1';
      const [row] = await queryDatabase<{ name: string; push_token: string | null }>(database.url, sql, [broken.id]);
      return row;
    };
    beforeEach(async () => {
      registry = new EhrRegistry({
        ehrs: register,
        ids: { next: () => v7() },
        clock: { now: () => new Date('2026-11-30T09:00:00Z') },
        addresses: { mayCall: () => Promise.resolve(true) },
        pushRules: { faultsOf: () => [] },
      });
      broken = await added({ push: { auth: 'bearer', token: 'lost token' } });
      await queryDatabase(database.url, 'update ehrs set push_token = $2 where id = $1', [broken.id, KEPT]);
    });

    it('stays as it is kept with a change of anything else', async () => {
      await registry.change(broken.organizationId, broken.id, { name: 'Renamed', push: { when: 'reviewed' } });
      expect(await kept()).toEqual({ name: 'Renamed', push_token: KEPT });
    });

    it('is given another, or none where another way in is chosen', async () => {
      await registry.change(broken.organizationId, broken.id, { push: { token: 'second token' } });
      expect((await register.find(broken.organizationId, broken.id))?.push?.token).toBe('second token');
      await queryDatabase(database.url, 'update ehrs set push_token = $2 where id = $1', [broken.id, KEPT]);
      await registry.change(broken.organizationId, broken.id, { push: { auth: 'none' } });
      expect((await kept())?.push_token).toBeNull();
    });

    it('is shown without it and removed, and opens launches, which need none', async () => {
      expect((await registry.find(broken.organizationId, broken.id)).push?.token).toBeNull();
      for (const found of [register.byFhirBaseUrl(broken.fhirBaseUrl), register.find(broken.organizationId, broken.id)])
        expect(await found).toMatchObject({ id: broken.id, push: { token: null } });
      await registry.remove(broken.organizationId, broken.id);
      expect(await kept()).toBeUndefined();
    });
  });

  it('has no launch begun by what was read before a change, nor after its removal', async () => {
    const states = context.get(LaunchStates);
    const read = await added({ launch: { clientId: 'a' } });
    const begin = async ({ organizationId, environment, id, updatedAt }: Ehr) => {
      const [state, browserSha256] = [randomBytes(32), randomBytes(32)];
      const going = { iss: read.fhirBaseUrl, launch: 'l', verifier: 'v', nonce: 'n', browserSha256, isFramed: false };
      const isBegun = await states.begin(state, { ...going, organizationId, environment, ehrId: id }, updatedAt, 600);
      return [isBegun, (await states.take(state)) !== null];
    };
    expect(await begin(read)).toEqual([true, true]);
    const changed = await register.change(tenant.organizationId, read.id, () => ({ origins: ['https://x.example'] }));
    expect(await begin(read)).toEqual([false, false]);
    expect(await begin(changed)).toEqual([true, true]);
    expect(await begin({ ...changed, ...(await context.createTenant()) })).toEqual([false, false]);
    await register.remove(tenant.organizationId, read.id);
    expect(await begin(changed)).toEqual([false, false]);
  });

  it('has no desk made of what was read before a change, nor after its removal', async () => {
    const links = context.get(ReviewLinkRepository);
    const read = await added({ launch: { clientId: 'a' } });
    const insert = ({ organizationId, environment, id, updatedAt }: Ehr) =>
      links.insert({
        organizationId,
        environment,
        id: v7(),
        holderId: id,
        sha256: randomBytes(32),
        lifeS: 600,
        person: 'Practitioner/1',
        personSystem: read.fhirBaseUrl,
        personName: null,
        language: null,
        subject: 'patient',
        reportIds: [],
        subjectId: v7(),
        reportId: v7(),
        mode: 'read',
        frameOrigin: null,
        isFramed: false,
        isBannerShort: false,
        idleS: 900,
        ehrAsOf: updatedAt,
      });
    expect(await insert(read)).toBeInstanceOf(Date);
    const changed = await register.change(tenant.organizationId, read.id, () => ({ origins: ['https://x.example'] }));
    expect(await insert(read)).toBeNull();
    expect(await insert(changed)).toBeInstanceOf(Date);
    await register.remove(tenant.organizationId, read.id);
    expect(await insert(changed)).toBeNull();
  });

  it('ends what it opened with a change of who is let in, and with its removal, and nothing of another', async () => {
    const [states, links] = [context.get(LaunchStates), context.get(ReviewLinkRepository)];
    const launch = { clientId: 'a' };
    const [one, other] = [await added({ launch }), await added({ launch })];
    const [digest, id] = [() => randomBytes(32), () => v7()];
    async function opened(ehr: Ehr): Promise<{ readonly state: Buffer; readonly linkId: string }> {
      const [state, linkId] = [digest(), id()];
      const { organizationId, environment } = ehr;
      const going = { iss: ehr.fhirBaseUrl, launch: 'l', verifier: 'v', nonce: 'n', browserSha256: digest() };
      const { updatedAt } = (await register.find(organizationId, ehr.id))!;
      const begun = { ...going, organizationId, environment, ehrId: ehr.id, isFramed: false };
      expect(await states.begin(state, begun, updatedAt, 600)).toBe(true);
      await links.insert({
        organizationId,
        environment,
        id: linkId,
        holderId: ehr.id,
        sha256: digest(),
        lifeS: 600,
        person: 'Practitioner/1',
        personSystem: ehr.fhirBaseUrl,
        personName: null,
        language: null,
        subject: 'patient',
        reportIds: [],
        subjectId: id(),
        reportId: id(),
        mode: 'read',
        frameOrigin: null,
        isFramed: false,
        isBannerShort: false,
        idleS: 900,
      });
      return { state, linkId };
    }
    const isThere = async ({ state, linkId }: { readonly state: Buffer; readonly linkId: string }) => {
      const [{ count }] = (await queryDatabase<{ count: number }>(
        database.url,
        'select count(*)::int as count from review_links where id = $1',
        [linkId],
      )) as [{ count: number }];
      return [(await states.take(state)) !== null, count === 1];
    };
    const changed = async (ehr: Ehr, change: EhrChange) => {
      const open = await opened(ehr);
      await register.change(ehr.organizationId, ehr.id, () => change);
      return isThere(open);
    };
    const kept = await opened(other);
    expect(await changed(one, { name: 'EHR North' })).toEqual([true, true]);
    expect(await changed(one, { origins: ['https://login.example'] })).toEqual([false, false]);
    expect(await changed(one, { launch: null })).toEqual([false, false]);
    const open = await opened(one);
    await register.remove(one.organizationId, one.id);
    expect(await isThere(open)).toEqual([false, false]);
    expect(await isThere(kept)).toEqual([true, true]);
  });

  it('is read by its own tenant alone, and changed by no caller', async () => {
    const ehr = await added();
    const unitOfWork = context.get(UnitOfWork);
    const seen = (of: Tenant) =>
      unitOfWork.inTenant(of, async (transaction) => {
        const { rows } = await statementsOf(transaction).run('select id from ehrs where id = $1', [ehr.id]);
        return rows.length;
      });
    expect([await seen(tenant), await seen({ ...tenant, environment: 'live' })]).toEqual([1, 0]);
    expect(await seen(await context.createTenant())).toBe(0);
    await expect(
      unitOfWork.inTenant(tenant, (transaction) =>
        statementsOf(transaction).run(`update ehrs set name = 'x' where id = $1`, [ehr.id]),
      ),
    ).rejects.toThrow(/permission denied/);
  });

  it('takes a token once, of each EHR apart, and forgets it with its EHR', async () => {
    const ledger = context.get(EhrTokenLedger);
    const [one, other] = [await added(), await added()];
    const digest = Buffer.alloc(32, 7);
    const until = new Date(Date.now() + 60_000);
    const ends = await Promise.all([ledger.use(one.id, digest, until), ledger.use(one.id, digest, until)]);
    expect(ends.sort()).toEqual([false, true]);
    expect(await ledger.use(other.id, digest, until)).toBe(true);
    await register.remove(one.organizationId, one.id);
    expect(await ledger.use(one.id, digest, until)).toBe(false);
  });
});
