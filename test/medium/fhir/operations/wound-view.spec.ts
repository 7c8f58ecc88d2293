import type { Bundle, Condition, Observation, Resource } from '@medplum/fhirtypes';
import { v7 } from 'uuid';
import { AuditTrail } from '../../../../src/core/audit/audit-trail.js';
import type { ClinicianObservations } from '../../../../src/core/analysis/clinician-observations.js';
import type { JobSubject } from '../../../../src/core/analysis/analysis-job.js';
import { IdempotencyLedger } from '../../../../src/core/idempotency/idempotency-ledger.js';
import { IdempotencyService } from '../../../../src/core/idempotency/idempotency.service.js';
import { IdSource } from '../../../../src/core/ports/id-source.js';
import { UnitOfWork } from '../../../../src/core/ports/unit-of-work.js';
import type { Caller } from '../../../../src/core/tenancy/api-key.js';
import { AuditedCalls } from '../../../../src/doors/fhir/audit/audited-calls.js';
import { FhirAudit } from '../../../../src/doors/fhir/audit/fhir-audit.js';
import { NO_PREFERENCES } from '../../../../src/doors/fhir/call/preferences.js';
import { ReportSurroundings } from '../../../../src/doors/fhir/operations/report-surroundings.js';
import { WoundViewOperation } from '../../../../src/doors/fhir/operations/wound-view.operation.js';
import { readSettings } from '../../../../src/platform/config/settings.js';
import { R4Definitions } from '../../../../src/standards/fhir/definitions/r4-definitions.js';
import { ProfileLibrary } from '../../../../src/standards/fhir/profiles/profile-library.js';
import { ResourceValidator } from '../../../../src/standards/fhir/validation/resource-validator.js';
import { DatabaseContext } from '../../../support/database-context.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';
import { ProjectionGround } from '../projection/projection-ground.js';

const definitions = new R4Definitions();
const validator = new ResourceValidator(definitions, new ProfileLibrary(definitions));
const BASE = 'https://gateway.example/fhir';
const NL = 'http://nictiz.nl/fhir/StructureDefinition/';
const WOUND: JobSubject = { patientId: 'P-1', patientSystem: 'urn:oid:2.999.1', woundId: 'W-1' };
const SHIN: JobSubject = {
  ...WOUND,
  bodySite: { system: 'http://snomed.info/sct', code: '30021000', display: 'Lower leg' },
  laterality: 'right',
};

describe('DiagnosticReport/$wound-view', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let ground: ProjectionGround;
  let operation: WoundViewOperation;
  let caller: Caller;

  const operationWith = (variables: Readonly<Record<string, string>> = {}) =>
    new WoundViewOperation(
      new ReportSurroundings(ground.store, ground.followUp.reader),
      new AuditedCalls(
        context.get(UnitOfWork),
        new IdempotencyService(context.get(IdempotencyLedger)),
        new FhirAudit(context.get(AuditTrail)),
      ),
      context.get(IdSource),
      readSettings(variables),
    );
  beforeAll(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url);
    ground = new ProjectionGround(context);
    operation = operationWith();
  });
  afterAll(async () => {
    await context?.close();
    await database?.drop();
  });
  beforeEach(async () => {
    caller = { ...(await context.createTenant()), keyId: v7(), scopes: ['analysis:read'] };
  });

  const assess = async (observations?: ClinicianObservations, subject: JobSubject | null = WOUND, on = ground) => {
    const report = await on.followUp.assess(caller, 0, 9, subject, {}, { observations });
    await on.deliver(caller);
    return report;
  };
  const ask = async (id: string, profile: string | null = `${NL}nl-core-Wound`, by = caller, asked = operation) => {
    const parameter = profile === null ? [] : [{ name: '_profile', valueString: profile }];
    const answer = await asked.handle({
      caller: by,
      base: BASE,
      requestId: 'r',
      level: 'instance',
      type: 'DiagnosticReport',
      id,
      input: { resourceType: 'Parameters', ...(parameter.length === 0 ? {} : { parameter }) },
      query: new URLSearchParams(),
      preferences: NO_PREFERENCES,
      ifMatch: undefined,
      idempotencyKey: null,
    });
    return answer.body as Bundle;
  };
  const all = ({ entry = [] }: Bundle) => entry.map(({ resource }) => resource as Resource);
  const condition = (bundle: Bundle) => all(bundle)[0] as Condition;
  const of = (bundle: Bundle, profile: string) =>
    all(bundle).find(({ meta }) => meta?.profile?.[0] === `${NL}${profile}`) as Observation | undefined;
  const codeOf = (observation: Observation | undefined) => observation?.valueCodeableConcept?.coding?.[0]?.code;

  it('refuses a profile that it has no view for, and none', async () => {
    const { id } = await assess();
    for (const profile of [null, '', `${NL}nl-core-Patient`, 'nl-core-Wound'])
      await expect(ask(id, profile)).rejects.toMatchObject({ code: 'request.invalid' });
  });

  it('refuses a report that is not here, and another tenant’s', async () => {
    const { id } = await assess();
    const stranger = { ...caller, ...(await context.createTenant()) };
    for (const asked of [() => ask(v7()), () => ask('no-id'), () => ask(id, undefined, stranger)])
      await expect(asked()).rejects.toMatchObject({ code: 'fhir.not_found' });
  });

  it('refuses where codes of SNOMED CT are left out', async () => {
    const { id } = await assess();
    const without = operationWith({ FHIR_SNOMED: 'off' });
    await expect(ask(id, undefined, caller, without)).rejects.toMatchObject({ code: 'fhir.business_rule' });
  });

  it('is a valid collection in which each reference leads to an entry, or to what is served here', async () => {
    const { id } = await assess({ depthCm: 0.8, exudate: 'heavy', edges: ['rolled', 'undermined'] }, SHIN);
    const bundle = await ask(id);
    expect(validator.validate(bundle)).toEqual({ level: null, issues: [] });
    expect(bundle.type).toBe('collection');
    const inside = bundle.entry!.map(({ fullUrl }) => fullUrl!);
    const named = [...JSON.stringify(bundle).matchAll(/"reference":"(urn:uuid:[^"]+)"/g)].map((match) => match[1]!);
    expect(named.filter((one) => !inside.includes(one))).toEqual([]);
    expect(condition(bundle).evidence![0]!.detail).toEqual([{ reference: inside[1] }]);
    const members = (all(bundle)[1] as Observation).hasMember!.map(({ reference }) => reference);
    expect(members).toHaveLength(5);
    expect(members).toEqual(inside.slice(2, 7));
    expect(all(bundle).map(({ resourceType }) => resourceType)).toContain('Patient');
  });

  it('has the report’s own measures, and what was stated in the standard’s codes', async () => {
    const { id } = await assess({ depthCm: 0.8, exudate: 'heavy', edges: ['rolled', 'undermined'] }, SHIN);
    const bundle = await ask(id);
    expect(of(bundle, 'nl-core-wounds.WoundLength')).toMatchObject({
      id: `${id}-length`,
      valueQuantity: { code: 'cm' },
    });
    expect(of(bundle, 'nl-core-wounds.WoundDepth')).toMatchObject({ valueQuantity: { value: 0.8 } });
    expect(codeOf(of(bundle, 'nl-core-Wound.WoundMoisture'))).toBe('NAT');
    expect(of(bundle, 'nl-core-Wound.WoundEdge')!.valueCodeableConcept).toMatchObject({
      coding: [{ code: '449752001' }],
      text: 'rolled, undermined',
    });
    expect(condition(bundle)).toMatchObject({
      meta: { profile: [`${NL}nl-core-Wound`] },
      category: [{ coding: [{ code: '416462003' }] }],
      bodySite: [
        { coding: [{ code: '30021000' }], extension: [{ valueCodeableConcept: { coding: [{ code: '24028007' }] } }] },
      ],
    });
    expect(of(bundle, 'nl-core-Wound.WoundInfection')).toBeUndefined();
  });

  it('says nothing of what was not stated, and a site without a code in words', async () => {
    const { id } = await assess(undefined, { ...WOUND, bodySite: { display: 'left shin' } });
    const bundle = await ask(id);
    for (const part of ['Moisture', 'Edge']) expect(of(bundle, `nl-core-Wound.Wound${part}`)).toBeUndefined();
    expect(of(bundle, 'nl-core-wounds.WoundDepth')).toBeUndefined();
    expect(condition(bundle)).toMatchObject({ note: [{ text: 'Site as stated: left shin.' }] });
    expect(condition(bundle).bodySite).toBeUndefined();
  });

  it.each([
    ['3', '421927004', undefined],
    ['unstageable', undefined, 'Pressure injury, unstageable.'],
  ] as const)('is a pressure ulcer where a stage of one was stated: %s', async (value, coded, note) => {
    const { id } = await assess({ stage: { system: 'pressure', value } });
    const found = condition(await ask(id));
    expect(found).toMatchObject({
      meta: { profile: [`${NL}nl-core-PressureUlcer`] },
      code: { coding: [{ code: '399912005' }] },
    });
    expect(found.stage?.[0]?.summary?.coding?.[0]?.code).toBe(coded);
    expect(found.note?.[0]?.text).toBe(note);
  });

  it('is unconfirmed until a person signs, with the report’s own words, and withdrawn with it', async () => {
    const { id } = await assess();
    const before = await ask(id);
    expect(condition(before).verificationStatus!.coding![0]!.code).toBe('unconfirmed');
    expect((all(before)[1] as Observation).note![0]!.text).toMatch(/cm²/u);
    await ground.followUp.review(caller, await ground.followUp.read(caller, id), { decision: 'accept' });
    await ground.deliver(caller);
    expect(condition(await ask(id))).toMatchObject({
      clinicalStatus: { coding: [{ code: 'active' }] },
      verificationStatus: { coding: [{ code: 'confirmed' }] },
    });
    await ground.followUp.review(caller, await ground.followUp.read(caller, id), { decision: 'reject' });
    await ground.deliver(caller);
    const after = await ask(id);
    expect(condition(after).verificationStatus!.coding![0]!.code).toBe('entered-in-error');
    expect(condition(after).clinicalStatus).toBeUndefined();
    for (const { resourceType, ...rest } of all(after))
      if (resourceType === 'Observation') expect((rest as { status?: string }).status).toBe('entered-in-error');
  });

  it('has length and width also in the form of HL7’s guide', async () => {
    const guided = new ProjectionGround(context, { FHIR_STYLE: 'skin-wound-ig' });
    const { id } = await assess(undefined, WOUND, guided);
    const bundle = await ask(id);
    for (const part of ['Length', 'Width'])
      expect(of(bundle, `nl-core-wounds.Wound${part}`)).toMatchObject({ valueQuantity: { code: 'cm' } });
  });
});
