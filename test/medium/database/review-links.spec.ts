import { createHash, randomBytes } from 'node:crypto';
import { v7 } from 'uuid';
import { ReviewLinkRepository } from '../../../src/core/report/review-link.js';
import { HELD_BY, ROLES } from '../../../src/core/tenancy/roles.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { DatabaseContext } from '../../support/database-context.js';
import { queryDatabase } from '../../support/database-query.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

describe('a link to the review desk that a user made', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let links: ReviewLinkRepository;
  let tenant: Tenant;

  beforeAll(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url);
    links = context.get(ReviewLinkRepository);
  });
  afterAll(async () => {
    await context?.close();
    await database?.drop();
  });
  beforeEach(async () => {
    tenant = await context.createTenant();
  });

  async function userWith(role: string, { organizationId }: Tenant): Promise<string> {
    const id = v7();
    await queryDatabase(
      database.url,
      `insert into users (id, name, display_name, is_installation_admin, created_at) values ($1, $2, 'Nora Field', false, now())`,
      [id, `nora-${id}`],
    );
    await giveRole(id, role, organizationId);
    return id;
  }
  const giveRole = (userId: string, role: string, organizationId: string) =>
    queryDatabase(database.url, 'insert into user_roles (user_id, organization_id, role) values ($1, $2, $3)', [
      userId,
      organizationId,
      role,
    ]);

  /** Whether the link that this user makes can be opened. */
  async function opens(holderId: string): Promise<boolean> {
    const [id, reportId] = [v7(), v7()];
    const sha256 = createHash('sha256').update(randomBytes(16)).digest();
    await links.insert({
      ...tenant,
      id,
      holderId,
      person: null,
      personSystem: null,
      personName: null,
      subject: 'report',
      subjectId: reportId,
      reportId,
      reportIds: [],
      mode: 'review',
      language: null,
      frameOrigin: null,
      isFramed: false,
      isBannerShort: false,
      idleS: null,
      sha256,
      lifeS: 600,
    });
    return (await links.open(id, sha256, randomBytes(32))) !== null;
  }

  it('opens for the roles that include the reviewer, and each role can be given', async () => {
    for (const role of ROLES)
      expect([role, await opens(await userWith(role, tenant))]).toEqual([role, HELD_BY.reviewer.includes(role)]);
  });

  it('does not open for who may only look there, nor for a reviewer of another organization alone', async () => {
    expect(await opens(await userWith('viewer', tenant))).toBe(false);
    const elsewhere = await userWith('reviewer', await context.createTenant());
    expect(await opens(elsewhere)).toBe(false);
    await giveRole(elsewhere, 'viewer', tenant.organizationId);
    expect(await opens(elsewhere)).toBe(false);
  });

  it('opens for a reviewer of its organization', async () => {
    expect(await opens(await userWith('reviewer', tenant))).toBe(true);
  });
});
