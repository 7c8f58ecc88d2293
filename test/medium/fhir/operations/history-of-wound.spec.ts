import type { Bundle, DiagnosticReport } from '@medplum/fhirtypes';
import { v7 } from 'uuid';
import { AuditTrail } from '../../../../src/core/audit/audit-trail.js';
import { ReportRepository } from '../../../../src/core/report/report.repository.js';
import { UnitOfWork } from '../../../../src/core/ports/unit-of-work.js';
import { WoundRepository } from '../../../../src/core/followup/wound.repository.js';
import type { Caller } from '../../../../src/core/tenancy/api-key.js';
import { IdempotencyLedger } from '../../../../src/core/idempotency/idempotency-ledger.js';
import { IdempotencyService } from '../../../../src/core/idempotency/idempotency.service.js';
import { AuditedCalls } from '../../../../src/doors/fhir/audit/audited-calls.js';
import { FhirAudit } from '../../../../src/doors/fhir/audit/fhir-audit.js';
import { NO_PREFERENCES } from '../../../../src/doors/fhir/call/preferences.js';
import { HistoryOfWoundOperation } from '../../../../src/doors/fhir/operations/history-of-wound.operation.js';
import { DatabaseContext } from '../../../support/database-context.js';
import { REVIEWER, WOUND } from '../../../support/follow-up-context.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';
import { zoneOf } from '../search/searching.js';
import { ProjectionGround } from '../projection/projection-ground.js';

const SEQUENCE = 'https://sutura.dev/fhir/StructureDefinition/assessment-sequence';

describe('$history-of-wound', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let ground: ProjectionGround;
  let operation: HistoryOfWoundOperation;
  let caller: Caller;

  beforeAll(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url);
    ground = new ProjectionGround(context);
    operation = new HistoryOfWoundOperation(
      context.get(WoundRepository),
      context.get(ReportRepository),
      ground.store,
      new AuditedCalls(
        context.get(UnitOfWork),
        new IdempotencyService(context.get(IdempotencyLedger)),
        new FhirAudit(context.get(AuditTrail)),
      ),
      zoneOf(context),
    );
  });
  afterAll(async () => {
    await context?.close();
    await database?.drop();
  });
  beforeEach(async () => {
    caller = { ...(await context.createTenant()), keyId: v7(), scopes: ['analysis:read'] };
  });

  const assess = async (week: number, areaCm2: number, woundId = 'W1') => {
    const report = await ground.followUp.assess(caller, week, areaCm2, { ...WOUND, woundId });
    await ground.deliver(caller);
    return report;
  };
  const ask = async (id: string, given: Record<string, string> = {}, by = caller) => {
    const parameter = Object.entries(given).map(([name, valueString]) => ({ name, valueString }));
    const answer = await operation.handle({
      caller: by,
      base: 'https://gateway.example/fhir',
      requestId: 'r',
      level: 'instance',
      type: 'BodyStructure',
      id,
      input: { resourceType: 'Parameters', ...(parameter.length === 0 ? {} : { parameter }) },
      query: new URLSearchParams(),
      preferences: NO_PREFERENCES,
      ifMatch: undefined,
      idempotencyKey: null,
    });
    const { entry = [], total } = answer.body as Bundle;
    const reports = entry
      .filter(({ search }) => search?.mode === 'match')
      .map(({ resource }) => resource as DiagnosticReport);
    const included = entry
      .filter(({ search }) => search?.mode === 'include')
      .map(({ resource }) => resource!.resourceType);
    return {
      total,
      ids: reports.map(({ id: reportId }) => reportId),
      sequences: reports.map(({ extension }) => extension?.find(({ url }) => url === SEQUENCE)?.valuePositiveInt),
      included,
    };
  };

  it('refuses a wound that is not here, another tenant’s, and what is no date', async () => {
    const { content } = await assess(0, 9);
    await expect(ask(v7())).rejects.toMatchObject({ code: 'fhir.not_found' });
    await expect(
      ask(content.subject.woundRef, {}, { ...caller, ...(await context.createTenant()) }),
    ).rejects.toMatchObject({ code: 'fhir.not_found' });
    await expect(ask(content.subject.woundRef, { start: 'yesterday' })).rejects.toMatchObject({
      code: 'request.invalid',
    });
  });

  it('gives reports in the order of their photos with the numbers of this moment, and each thing they refer to once', async () => {
    const [first, third, fourth] = [await assess(0, 9), await assess(2, 6), await assess(3, 5)];
    const late = await assess(1, 7);
    const { total, ids, sequences, included } = await ask(first.content.subject.woundRef);
    expect([total, ids, sequences]).toEqual([4, [first, late, third, fourth].map(({ id }) => id), [1, 2, 3, 4]]);
    expect(included.filter((type) => type === 'Media')).toHaveLength(4);
    expect(included.filter((type) => type === 'Observation').length).toBeGreaterThanOrEqual(4 * 4);
  });

  it('takes a day, a month and a year as wide as they are', async () => {
    const [first, , third] = [await assess(0, 9), await assess(1, 8), await assess(5, 6)];
    const wound = first.content.subject.woundRef;
    expect((await ask(wound, { start: '2025-01-06', end: '2025-01-06' })).ids).toEqual([first.id]);
    expect((await ask(wound, { start: '2025-02' })).ids).toEqual([third.id]);
    expect((await ask(wound, { end: '2025' })).total).toBe(3);
    expect((await ask(wound, { start: '2026' })).total).toBe(0);
  });

  it('is without what was rejected, and follows a merge from either wound', async () => {
    const [first, other, rejected] = [await assess(0, 9), await assess(1, 7, 'W2'), await assess(2, 5)];
    await ground.followUp.review(caller, rejected, { decision: 'reject' });
    const [into, wound] = [first.content.subject.woundRef, other.content.subject.woundRef];
    await ground.followUp.within(caller, (transaction) =>
      ground.followUp.wounds.merge(transaction, wound, into, { reviewer: REVIEWER, note: null }),
    );
    await ground.deliver(caller);
    expect((await ask(into)).ids).toEqual([first.id, other.id]);
    expect((await ask(wound)).ids).toEqual([first.id, other.id]);
  });
});
