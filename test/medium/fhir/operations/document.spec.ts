import type { Bundle, Composition, Resource } from '@medplum/fhirtypes';
import { v7 } from 'uuid';
import { AuditTrail } from '../../../../src/core/audit/audit-trail.js';
import { IdempotencyLedger } from '../../../../src/core/idempotency/idempotency-ledger.js';
import { IdempotencyService } from '../../../../src/core/idempotency/idempotency.service.js';
import { IdSource } from '../../../../src/core/ports/id-source.js';
import { UnitOfWork } from '../../../../src/core/ports/unit-of-work.js';
import { LANGUAGES, type Language } from '../../../../src/core/report/languages.js';
import type { Caller } from '../../../../src/core/tenancy/api-key.js';
import { AuditedCalls } from '../../../../src/doors/fhir/audit/audited-calls.js';
import { FhirAudit } from '../../../../src/doors/fhir/audit/fhir-audit.js';
import { NO_PREFERENCES } from '../../../../src/doors/fhir/call/preferences.js';
import { DocumentOperation } from '../../../../src/doors/fhir/operations/document.operation.js';
import { ReportSurroundings } from '../../../../src/doors/fhir/operations/report-surroundings.js';
import { R4Definitions } from '../../../../src/standards/fhir/definitions/r4-definitions.js';
import { ProfileLibrary } from '../../../../src/standards/fhir/profiles/profile-library.js';
import { ResourceValidator } from '../../../../src/standards/fhir/validation/resource-validator.js';
import { DatabaseContext } from '../../../support/database-context.js';
import { queryDatabase } from '../../../support/database-query.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';
import { ProjectionGround } from '../projection/projection-ground.js';

const definitions = new R4Definitions();
const validator = new ResourceValidator(definitions, new ProfileLibrary(definitions));
const BASE = 'https://gateway.example/fhir';

describe('DiagnosticReport/$document', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let ground: ProjectionGround;
  let operation: DocumentOperation;
  let caller: Caller;

  beforeAll(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url);
    ground = new ProjectionGround(context);
    const calls = new AuditedCalls(
      context.get(UnitOfWork),
      new IdempotencyService(context.get(IdempotencyLedger)),
      new FhirAudit(context.get(AuditTrail)),
    );
    const around = new ReportSurroundings(ground.store, ground.followUp.reader);
    operation = new DocumentOperation(around, calls, context.get(IdSource));
  });
  afterAll(async () => {
    await context?.close();
    await database?.drop();
  });
  beforeEach(async () => {
    caller = { ...(await context.createTenant()), keyId: v7(), scopes: ['analysis:read'] };
  });

  const assess = async (week: number, areaCm2: number) => {
    const report = await ground.followUp.assess(caller, week, areaCm2);
    await ground.deliver(caller);
    return report;
  };
  const review = async (id: string, decision: 'accept' | 'reject') => {
    await ground.followUp.review(caller, await ground.followUp.read(caller, id), { decision });
    await ground.deliver(caller);
  };
  const ask = async (id: string, language?: Language, by = caller) => {
    const answer = await operation.handle({
      caller: by,
      base: BASE,
      requestId: 'r',
      level: 'instance',
      type: 'DiagnosticReport',
      id,
      input: { resourceType: 'Parameters' },
      query: new URLSearchParams(),
      preferences: NO_PREFERENCES,
      ...(language === undefined ? {} : { language }),
      ifMatch: undefined,
      idempotencyKey: null,
    });
    return answer.body as Bundle;
  };
  const compositionOf = ({ entry = [] }: Bundle) => entry[0]!.resource as Composition;
  const textOf = (bundle: Bundle) => (compositionOf(bundle).section ?? []).map(({ text }) => text?.div ?? '').join('');
  const typesOf = ({ entry = [] }: Bundle) => entry.map(({ resource }) => (resource as Resource).resourceType);

  it('refuses a report that is not here, and another tenant’s', async () => {
    const { id } = await assess(0, 9);
    const stranger = { ...caller, ...(await context.createTenant()) };
    for (const asked of [() => ask(v7()), () => ask('no-id'), () => ask(id, 'en', stranger)])
      await expect(asked()).rejects.toMatchObject({ code: 'fhir.not_found' });
  });

  it('is a valid document: the Composition first, whatever it names inside, each once', async () => {
    const [first, second] = [await assess(0, 9), await assess(1, 8)];
    const bundle = await ask(second.id);
    expect(validator.validate(bundle)).toEqual({ level: null, issues: [] });
    expect(bundle).toMatchObject({ type: 'document', identifier: { system: 'urn:ietf:rfc:3986' } });
    const composition = compositionOf(bundle);
    const named = [
      composition.subject!.reference!,
      ...composition.author.map(({ reference }) => reference!),
      ...composition.section!.flatMap(({ entry = [] }) => entry.map(({ reference }) => reference!)),
    ];
    const inside = bundle.entry!.map(({ fullUrl }) => fullUrl!);
    expect(named.filter((reference) => !inside.includes(reference))).toEqual([]);
    expect(new Set(inside).size).toBe(inside.length);
    expect(typesOf(bundle).filter((type) => type === 'DiagnosticReport')).toHaveLength(1);
    expect(inside).not.toContain(`${BASE}/DiagnosticReport/${first.id}`);
    for (const type of ['Patient', 'Organization', 'BodyStructure', 'Observation', 'Media', 'Device'] as const)
      expect(typesOf(bundle)).toContain(type);
  });

  it('says in words what its Observations say in figures, in each language', async () => {
    const { id } = await assess(0, 9);
    for (const language of LANGUAGES) {
      const bundle = await ask(id, language);
      expect(compositionOf(bundle)).toMatchObject({ language });
      expect(textOf(bundle)).toMatch(/9[.,]00?\s*cm²/u);
      expect(validator.validate(bundle)).toEqual({ level: null, issues: [] });
    }
    expect(textOf(await ask(id, 'de'))).toContain('Vorläufig');
  });

  it('is no more final than its report, and signed only by who confirmed it', async () => {
    const [accepted, rejected] = [await assess(0, 9), await assess(1, 8)];
    expect(compositionOf(await ask(accepted.id))).toMatchObject({ status: 'preliminary' });
    await review(accepted.id, 'accept');
    await review(rejected.id, 'reject');
    const [signed, withdrawn] = [compositionOf(await ask(accepted.id)), compositionOf(await ask(rejected.id))];
    expect([signed.status, signed.attester?.length]).toEqual(['final', 1]);
    expect([withdrawn.status, withdrawn.attester]).toEqual(['entered-in-error', undefined]);
  });

  it('leaves one row in the trail, which says which report and that it is of a patient', async () => {
    const { id } = await assess(0, 9);
    await ask(id);
    const rows = await queryDatabase<{ resources: string[]; isNamed: boolean }>(
      database.url,
      `select resources, patient_id is not null as "isNamed" from audit_events
        where organization_id = $1 and interaction = '$document'`,
      [caller.organizationId],
    );
    // Of whom it is stands in a column of its own.
    expect(rows).toEqual([{ isNamed: true, resources: [`DiagnosticReport/${id}`] }]);
  });
});
