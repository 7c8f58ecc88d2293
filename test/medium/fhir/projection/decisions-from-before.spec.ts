import type { BodyStructure, Condition } from '@medplum/fhirtypes';
import type { Tenant } from '../../../../src/core/tenancy/tenant.js';
import { WoundRepository } from '../../../../src/core/followup/wound.repository.js';
import { SystemStatements } from '../../../../src/platform/database/statements.js';
import { MissingRecords } from '../../../../src/standards/fhir/store/missing-records.js';
import { DatabaseContext } from '../../../support/database-context.js';
import { queryDatabase } from '../../../support/database-query.js';
import { WOUND } from '../../../support/follow-up-context.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';
import { ProjectionGround } from './projection-ground.js';

/** An earlier release wrote the BodyStructure, and told nothing of these events. */
describe('what was decided and stated of wounds before their resources showed it', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let ground: ProjectionGround;
  let tenant: Tenant;
  let wound: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url);
    ground = new ProjectionGround(context);
  });
  afterAll(async () => {
    await context?.close();
    await database?.drop();
  });
  beforeEach(async () => {
    tenant = await context.createTenant();
    const first = await ground.followUp.assess(tenant, 0, 9, WOUND);
    wound = first.content.subject.woundRef;
    await ground.deliver(tenant);
    await ground.followUp.assess(
      tenant,
      7,
      8,
      WOUND,
      {},
      { observations: { stage: { system: 'wagner', value: '2' } } },
    );
    const decision = { reason: 'healed', decidedAt: null, reviewer: null, note: null, enteredBy: undefined } as const;
    await ground.within(tenant, (transaction) => ground.followUp.wounds.close(transaction, wound, decision));
  });

  const form = async () => {
    const sql = 'select wounds_form as form from fhir_openings where organization_id = $1';
    return (await queryDatabase<{ form: number }>(database.url, sql, [tenant.organizationId]))[0]?.form;
  };
  const shown = async () => {
    const { resource, version } = (await ground.find<BodyStructure>(tenant, 'BodyStructure', wound))!;
    const condition = await ground.find<Condition>(tenant, 'Condition', `${wound}-stage`);
    const closing = resource.extension?.find(({ url }) => url.endsWith('/wound-closing'));
    return {
      version,
      reason: closing?.extension?.[0]?.valueCode,
      stage: condition?.resource.stage?.[0]?.summary?.coding?.[0]?.code,
    };
  };

  it('is shown by the first start after the upgrade, once, and looked for no more', async () => {
    expect([await shown(), await form()]).toEqual([{ version: 1, reason: undefined, stage: undefined }, 0]);
    await ground.backfill.run();
    expect([await shown(), await form()]).toEqual([{ version: 2, reason: 'healed', stage: 'stage-wagner-2' }, 1]);
    await ground.backfill.run();
    expect(await shown()).toMatchObject({ version: 2 });
  });

  it('is looked for in pages of wounds, of which nothing need have been decided', async () => {
    const other = { ...WOUND, woundId: 'W-OTHER' };
    const { content } = await ground.followUp.assess(tenant, 1, 9, other);
    await ground.deliver(tenant);
    const missing = new MissingRecords(context.get(SystemStatements));
    const first = await missing.decidedWounds(tenant, null, 1);
    expect(first).toEqual([{ id: wound, isDecided: true }]);
    expect(await missing.decidedWounds(tenant, wound, 1)).toEqual([{ id: content.subject.woundRef, isDecided: false }]);
    expect(await missing.decidedWounds(tenant, content.subject.woundRef, 1)).toEqual([]);
  });

  it('is looked for once more by the next start where it could not be shown', async () => {
    const failing = jest.spyOn(context.get(WoundRepository), 'history').mockRejectedValue(new Error('Not now.'));
    await ground.backfill.run();
    failing.mockRestore();
    expect([await shown(), await form()]).toMatchObject([{ version: 1, reason: undefined }, 0]);
    await ground.backfill.run();
    expect([await shown(), await form()]).toMatchObject([{ reason: 'healed' }, 1]);
  });
});
