import type { Bundle, Composition, Resource } from '@medplum/fhirtypes';
import { v7 } from 'uuid';
import { AuditTrail } from '../../../../src/core/audit/audit-trail.js';
import { WoundRepository } from '../../../../src/core/followup/wound.repository.js';
import { IdempotencyLedger } from '../../../../src/core/idempotency/idempotency-ledger.js';
import { IdempotencyService } from '../../../../src/core/idempotency/idempotency.service.js';
import type { Language } from '../../../../src/core/report/languages.js';
import { OrganizationRepository } from '../../../../src/core/organizations/organization.repository.js';
import { ClinicalClock } from '../../../../src/core/ports/clinical-clock.js';
import { IdSource } from '../../../../src/core/ports/id-source.js';
import { UnitOfWork } from '../../../../src/core/ports/unit-of-work.js';
import { ClinicalEventRepository } from '../../../../src/core/followup/clinical-event.repository.js';
import { ReportRepository } from '../../../../src/core/report/report.repository.js';
import { WoundEvidenceReader } from '../../../../src/core/report/wound-evidence-reader.js';
import type { Caller } from '../../../../src/core/tenancy/api-key.js';
import { AuditedCalls } from '../../../../src/doors/fhir/audit/audited-calls.js';
import { FhirAudit } from '../../../../src/doors/fhir/audit/fhir-audit.js';
import { NO_PREFERENCES } from '../../../../src/doors/fhir/call/preferences.js';
import { EvidenceOperation } from '../../../../src/doors/fhir/operations/evidence.operation.js';
import { R4Definitions } from '../../../../src/standards/fhir/definitions/r4-definitions.js';
import { ProfileLibrary } from '../../../../src/standards/fhir/profiles/profile-library.js';
import { ResourceValidator } from '../../../../src/standards/fhir/validation/resource-validator.js';
import { DatabaseContext } from '../../../support/database-context.js';
import { storedHeadings } from '../../../support/stored-headings.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';
import { ProjectionGround } from '../projection/projection-ground.js';
import { zoneOf } from '../search/searching.js';

const definitions = new R4Definitions();
const validator = new ResourceValidator(definitions, new ProfileLibrary(definitions));
const BASE = 'https://gateway.example/fhir';
/** The first photo is of 6 January 2025. */
const FOUR_WEEKS = { start: '2025-01-06', end: '2025-02-03' };

describe('$evidence', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let ground: ProjectionGround;
  let operation: EvidenceOperation;
  let caller: Caller;

  beforeAll(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url);
    ground = new ProjectionGround(context);
    const ports = {
      reports: context.get(ReportRepository),
      wounds: context.get(WoundRepository),
      clinicalEvents: context.get(ClinicalEventRepository),
      headings: storedHeadings(context.get(OrganizationRepository)),
      clinicalClock: context.get(ClinicalClock),
    };
    operation = new EvidenceOperation(
      new WoundEvidenceReader(ports),
      ground.store,
      new AuditedCalls(
        context.get(UnitOfWork),
        new IdempotencyService(context.get(IdempotencyLedger)),
        new FhirAudit(context.get(AuditTrail)),
      ),
      zoneOf(context),
      context.get(IdSource),
    );
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
  const ask = async (id: string, given: Record<string, string> = {}, by = caller, language: Language = 'en') => {
    const parameter = Object.entries(given).map(([name, valueString]) => ({ name, valueString }));
    const answer = await operation.handle({
      caller: by,
      base: BASE,
      requestId: 'r',
      level: 'instance',
      type: 'BodyStructure',
      id,
      input: { resourceType: 'Parameters', ...(parameter.length === 0 ? {} : { parameter }) },
      query: new URLSearchParams(),
      preferences: NO_PREFERENCES,
      language,
      ifMatch: undefined,
      idempotencyKey: null,
    });
    return answer.body as Bundle;
  };
  const compositionOf = ({ entry = [] }: Bundle) => entry[0]!.resource as Composition;
  const textsOf = (bundle: Bundle) => (compositionOf(bundle).section ?? []).map(({ text }) => text?.div ?? '').join('');

  it('refuses a wound that is not here, another tenant’s, and a period that is empty or too long', async () => {
    const { content } = await assess(0, 9);
    const wound = content.subject.woundRef;
    await expect(ask(v7())).rejects.toMatchObject({ code: 'fhir.not_found' });
    await expect(ask(wound, {}, { ...caller, ...(await context.createTenant()) })).rejects.toMatchObject({
      code: 'fhir.not_found',
    });
    const refused: readonly Record<string, string>[] = [
      { start: 'yesterday' },
      { start: '2025-02-03', end: '2025-01-06' },
      { start: '2020', end: '2025' },
      { start: '2999' },
    ];
    for (const given of refused) await expect(ask(wound, given)).rejects.toMatchObject({ code: 'request.invalid' });
  });

  it('is a document: the Composition first, every resource that it names inside, each once', async () => {
    const [first] = [await assess(0, 9), await assess(1, 8), await assess(4, 6)];
    const bundle = await ask(first.content.subject.woundRef, FOUR_WEEKS);
    const { entry = [] } = bundle;
    expect(bundle).toMatchObject({ type: 'document', identifier: { system: 'urn:ietf:rfc:3986' } });
    expect(bundle.timestamp).toBeDefined();
    expect(validator.validate(bundle)).toEqual({ level: null, issues: [] });
    const composition = compositionOf(bundle);
    expect(composition).toMatchObject({ resourceType: 'Composition', status: 'preliminary', title: 'Wound evidence' });
    const named = [
      composition.subject!.reference!,
      ...composition.author.map(({ reference }) => reference!),
      ...composition.section!.flatMap(({ entry: entries = [] }) => entries.map(({ reference }) => reference!)),
    ];
    const inside = entry.map(({ fullUrl }) => fullUrl!);
    expect(named.filter((reference) => !inside.includes(reference))).toEqual([]);
    expect(new Set(inside).size).toBe(inside.length);
    const types = entry.map(({ resource }) => (resource as Resource).resourceType);
    expect(types.filter((type) => type === 'DiagnosticReport')).toHaveLength(3);
    expect(types.filter((type) => type === 'Media')).toHaveLength(3);
  });

  it('says what is missing, in the language asked for, and that treatment is not known rather than none', async () => {
    const [first] = [await assess(0, 9), await assess(4, 6)];
    const german = await ask(first.content.subject.woundRef, FOUR_WEEKS, caller, 'de');
    expect(textsOf(german)).toContain('Kein Befund vom');
    expect(textsOf(german)).toContain('Von keiner Fachkraft gezeichnet');
    expect(compositionOf(german).section!.map(({ emptyReason }) => emptyReason?.coding?.[0]?.code)).toContain(
      'unavailable',
    );
  });

  it('is final once each report of the period is signed, and names who signed', async () => {
    const reports = [await assess(0, 9), await assess(1, 8)];
    const wound = reports[0]!.content.subject.woundRef;
    for (const { id } of reports)
      await ground.followUp.review(caller, await ground.followUp.read(caller, id), { decision: 'accept' });
    await ground.deliver(caller);
    const composition = compositionOf(await ask(wound, FOUR_WEEKS));
    expect(composition.status).toBe('final');
    expect(composition.attester).toHaveLength(1);
  });

  it('is a document, too, where no photo lies in the period', async () => {
    const { content } = await assess(0, 9);
    const bundle = await ask(content.subject.woundRef, { start: '2025-03-01', end: '2025-03-28' });
    expect(compositionOf(bundle).status).toBe('preliminary');
    expect(textsOf(bundle)).toContain('There is no assessment in this period.');
  });
});
