import type {
  DiagnosticReport,
  Media,
  Observation,
  Parameters,
  ParametersParameter,
  Patient,
  Practitioner,
  Resource,
} from '@medplum/fhirtypes';
import { v7 } from 'uuid';
import { IdempotencyService } from '../../../../src/core/idempotency/idempotency.service.js';
import { AuditTrail } from '../../../../src/core/audit/audit-trail.js';
import { AuditLog } from '../../../../src/core/audit/audit-log.js';
import { IdempotencyLedger } from '../../../../src/core/idempotency/idempotency-ledger.js';
import { PatientRepository } from '../../../../src/core/patients/patient.repository.js';
import { UnitOfWork } from '../../../../src/core/ports/unit-of-work.js';
import { WoundRepository } from '../../../../src/core/followup/wound.repository.js';
import type { ClinicalReport } from '../../../../src/core/report/clinical-report.js';
import type { Caller } from '../../../../src/core/tenancy/api-key.js';
import { SCOPES } from '../../../../src/core/tenancy/api-key.js';
import type { Tenant } from '../../../../src/core/tenancy/tenant.js';
import { AuditedCalls } from '../../../../src/doors/fhir/audit/audited-calls.js';
import { FhirAudit } from '../../../../src/doors/fhir/audit/fhir-audit.js';
import { NO_PREFERENCES } from '../../../../src/doors/fhir/call/preferences.js';
import { AttestOperation } from '../../../../src/doors/fhir/operations/attest.operation.js';
import { AttestPersons } from '../../../../src/doors/fhir/operations/attest-persons.js';
import type { OperationRequest } from '../../../../src/doors/fhir/operations/fhir-operation.js';
import type { StoredResource } from '../../../../src/standards/fhir/store/resource-store.js';
import { DatabaseContext } from '../../../support/database-context.js';

import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';
import { rectangle } from '../../../support/wound-results.js';
import { ProjectionGround } from '../projection/projection-ground.js';

const REVIEWER: ParametersParameter = {
  name: 'reviewer',
  valueReference: { identifier: { system: 'urn:oid:1.2', value: 'HCP-1' }, display: 'Example Reviewer' },
};
const CONTOUR = JSON.stringify({ type: 'Polygon', coordinates: rectangle(20, 20, 120, 120).coordinates });

describe('$attest', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let ground: ProjectionGround;
  let operation: AttestOperation;
  let tenant: Tenant;
  let caller: Caller;
  let report: ClinicalReport;

  beforeAll(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url);
    ground = new ProjectionGround(context);
    const persons = new AttestPersons(ground.store, context.get(PatientRepository), context.get(WoundRepository));
    operation = new AttestOperation(
      ground.followUp.reviewing,
      ground.reports,
      persons,
      ground.store,
      new AuditedCalls(
        context.get(UnitOfWork),
        new IdempotencyService(context.get(IdempotencyLedger)),
        new FhirAudit(context.get(AuditTrail)),
      ),
    );
  });
  afterAll(async () => {
    await context?.close();
    await database?.drop();
  });
  beforeEach(async () => {
    tenant = await context.createTenant();
    caller = { ...tenant, keyId: v7(), scopes: SCOPES };
    report = await ground.followUp.assess(tenant, 0, 9);
    await ground.deliver(tenant);
  });

  const request = (parameters: ParametersParameter[], wish: Partial<OperationRequest> = {}): OperationRequest => ({
    caller,
    base: 'https://gateway.example/fhir',
    requestId: 'r-1',
    level: 'instance',
    type: 'DiagnosticReport',
    id: report.id,
    input: { resourceType: 'Parameters', parameter: [REVIEWER, ...parameters] } satisfies Parameters,
    query: new URLSearchParams(),
    preferences: NO_PREFERENCES,
    ifMatch: 'W/"1"',
    idempotencyKey: null,
    ...wish,
  });
  const attest = async (parameters: ParametersParameter[], wish: Partial<OperationRequest> = {}) => {
    const answer = await operation.handle(request(parameters, wish));
    return { answer, shown: answer.body as StoredResource<DiagnosticReport> };
  };
  const decide = (valueCode: string): ParametersParameter => ({ name: 'decision', valueCode });
  const insert = (resource: Resource) => ground.insert(tenant, resource);

  describe('refuses', () => {
    it.each([
      ['no If-Match', undefined],
      ['that of another version', 'W/"2"'],
      ['any version', '*'],
      ['a tag of nothing', '"abc"'],
    ])('%s', async (_, ifMatch) => {
      await expect(attest([decide('accept')], { ifMatch })).rejects.toMatchObject({
        code: 'fhir.version_conflict',
        kind: 'precondition_failed',
      });
      expect((await ground.followUp.read(tenant, report.id)).version).toBe(1);
    });

    it.each<[string, ParametersParameter[], string]>([
      ['no decision', [], 'decision'],
      ['a decision that there is not', [decide('perhaps')], 'decision'],
      ['a correction that corrects nothing', [decide('correct')], 'decision'],
      ['a contour with accept', [decide('accept'), { name: 'contour', valueString: CONTOUR }], 'decision'],
      ['a contour that is no JSON', [decide('correct'), { name: 'contour', valueString: '{' }], 'contour'],
      [
        'a contour outside the photo',
        [
          decide('correct'),
          {
            name: 'contour',
            valueString: JSON.stringify({ type: 'Polygon', coordinates: rectangle(0, 0, 9000, 9000).coordinates }),
          },
        ],
        'contour',
      ],
      ['an outline that there is not', [decide('correct'), { name: 'outlines', valueInteger: 7 }], 'outlines'],
      [
        'shares that are not 1',
        [decide('correct'), { name: 'tissue', valueString: '{"granulation":0.2,"slough":0,"necrosis":0,"other":0}' }],
        'tissue',
      ],
      ['a reassignment to nobody', [decide('reassign')], 'subject'],
      [
        'a reassignment to a patient who is not here',
        [decide('reassign'), { name: 'subject', valueReference: { reference: `Patient/${v7()}` } }],
        'subject',
      ],
      [
        'a reassignment to a thing',
        [decide('reassign'), { name: 'subject', valueReference: { reference: `Device/${v7()}` } }],
        'subject',
      ],
      ['a note that is too long', [decide('accept'), { name: 'note', valueString: 'x'.repeat(2001) }], 'note'],
      ['two reviewers', [decide('accept'), REVIEWER], 'reviewer'],
    ])('%s', async (_, parameters, name) => {
      await expect(attest(parameters)).rejects.toMatchObject({
        code: 'request.invalid',
        issues: [{ expression: `Parameters.parameter.where(name = '${name}')` }],
      });
      expect((await ground.followUp.read(tenant, report.id)).version).toBe(1);
    });

    it('an unknown parameter, a reviewer without a name, and a practitioner who is not here', async () => {
      await expect(attest([decide('accept'), { name: 'extra', valueString: 'x' }])).rejects.toMatchObject({
        issues: [{ expression: 'Parameters.parameter[2]' }],
      });
      const by = (valueReference: object) =>
        operation.handle(
          request([], {
            input: { resourceType: 'Parameters', parameter: [decide('accept'), { name: 'reviewer', valueReference }] },
          }),
        );
      await expect(by({ identifier: { value: 'HCP-1' } })).rejects.toMatchObject({ code: 'request.invalid' });
      await expect(by({ reference: `Practitioner/${v7()}` })).rejects.toMatchObject({ code: 'request.invalid' });
    });

    it('a report of nobody, one that is not here, and another tenant’s: nothing is decided', async () => {
      const unknown = await ground.followUp.assess(tenant, 1, 4, null);
      await expect(attest([decide('accept')], { id: unknown.id })).rejects.toMatchObject({ code: 'fhir.not_found' });
      expect((await ground.followUp.read(tenant, unknown.id)).version).toBe(1);
      await expect(attest([decide('accept')], { id: v7() })).rejects.toMatchObject({ code: 'fhir.not_found' });
      await expect(
        attest([decide('accept')], { caller: { ...caller, ...(await context.createTenant()) } }),
      ).rejects.toMatchObject({ code: 'fhir.not_found' });
    });

    it('one that was withdrawn', async () => {
      const { shown } = await attest([decide('reject')]);
      expect(shown.resource.status).toBe('entered-in-error');
      await expect(attest([decide('accept')], { ifMatch: 'W/"2"' })).rejects.toMatchObject({
        code: 'report.entered_in_error',
      });
    });
  });

  it('answers the report as it then is, shown at once, and says so in the trail', async () => {
    const { answer, shown } = await attest([decide('accept'), { name: 'note', valueString: 'Seen.' }]);
    expect(answer).toMatchObject({ status: 200, location: `DiagnosticReport/${report.id}/_history/2` });
    expect(shown).toMatchObject({
      version: 2,
      resource: {
        status: 'final',
        resultsInterpreter: [{ identifier: { system: 'urn:oid:1.2', value: 'HCP-1' }, display: 'Example Reviewer' }],
      },
    });
    expect(await ground.followUp.read(tenant, report.id)).toMatchObject({
      version: 2,
      content: { review: { note: 'Seen.', reviewer: { id: 'HCP-1', name: 'Example Reviewer' } } },
    });
    expect(await context.get(AuditLog).list(tenant, 10, null)).toMatchObject([
      {
        door: 'fhir',
        interaction: '$attest',
        action: 'E',
        keyId: caller.keyId,
        patientId: shown.resource.subject!.reference!.slice('Patient/'.length),
        resources: [`DiagnosticReport/${report.id}`],
      },
    ]);
    expect(await ground.find(tenant, 'DiagnosticReport', report.id)).toEqual(shown);
  });

  it.each(['accept', 'reject'])('ends the wait of a result by %s, at once and for every reader', async (decision) => {
    const jumped = await ground.followUp.assess(tenant, 1, 40);
    await ground.deliver(tenant);
    const waiting = await ground.find<DiagnosticReport>(tenant, 'DiagnosticReport', jumped.id);
    expect(waiting!.resource.conclusionCode).toMatchObject([{ coding: [{ code: 'area-jump' }] }]);
    expect(waiting!.resource.conclusion).toContain('Look now');
    const { shown } = await attest([decide(decision)], { id: jumped.id });
    expect(JSON.stringify(shown.resource)).not.toContain('area-jump');
    expect((await ground.followUp.wounds.list(tenant, { attention: true }, 10, null)).items).toEqual([]);
  });

  it('takes a correction by contour, outlines and tissue', async () => {
    const shares = { granulation: 0.5, slough: 0.5, necrosis: 0, other: 0 };
    await attest([
      decide('correct'),
      { name: 'contour', valueString: CONTOUR },
      { name: 'tissue', valueString: JSON.stringify(shares) },
    ]);
    expect(await ground.read<Observation>(tenant, 'Observation', `${report.id}-area`)).toMatchObject({
      status: 'final',
      valueQuantity: { value: 4 },
      performer: [{ display: 'Example Reviewer' }],
    });
    expect(
      (await ground.read<Observation>(tenant, 'Observation', `${report.id}-tissue`)).component?.map(
        ({ valueQuantity }) => valueQuantity?.value,
      ),
    ).toEqual([50, 50, 0, 0]);
    const { shown } = await attest([decide('correct'), { name: 'outlines', valueInteger: 0 }], { ifMatch: 'W/"2"' });
    expect(shown.resource.status).toBe('corrected');
    expect((await ground.faultsOf(tenant)).flatMap(([, found]) => found)).toEqual([]);
  });

  it('names the reviewer by a practitioner who is kept here', async () => {
    const practitioner: Practitioner = {
      resourceType: 'Practitioner',
      id: v7(),
      identifier: [{ value: 'P-9' }],
      name: [{ given: ['Example'], family: 'Nurse' }],
    };
    await insert(practitioner);
    const parameter = [
      decide('accept'),
      { name: 'reviewer', valueReference: { reference: `Practitioner/${practitioner.id!}` } },
    ];
    const answer = await operation.handle(request([], { input: { resourceType: 'Parameters', parameter } }));
    expect((answer.body as StoredResource<DiagnosticReport>).resource.resultsInterpreter).toEqual([
      { identifier: { value: 'P-9' }, display: 'Example Nurse' },
    ]);
  });

  it('moves a report to the right wound, and answers the one that took its place', async () => {
    const other = await ground.followUp.assess(tenant, 0, 4, { patientId: 'MRN-2', woundId: 'W9' });
    await ground.deliver(tenant);
    const wound = other.content.subject.woundRef;
    const { answer, shown } = await attest([
      decide('reassign'),
      { name: 'subject', valueReference: { reference: `BodyStructure/${wound}` } },
    ]);
    expect(shown.resource.id).not.toBe(report.id);
    expect(answer.location).toBe(`DiagnosticReport/${shown.resource.id!}/_history/1`);
    expect(shown.resource.extension).toContainEqual({
      url: 'https://sutura.dev/fhir/StructureDefinition/wound',
      valueReference: { reference: `BodyStructure/${wound}` },
    });
    expect((await ground.read<DiagnosticReport>(tenant, 'DiagnosticReport', report.id)).status).toBe(
      'entered-in-error',
    );
    expect((await ground.read<Media>(tenant, 'Media', report.imageId)).subject).toEqual(shown.resource.subject);
  });

  it('moves a report to a patient of this server', async () => {
    const patientId = await ground.within(tenant, (transaction) =>
      context.get(PatientRepository).resolve(transaction, { system: 'urn:oid:2.9', value: 'X-1' }, v7()),
    );
    await insert({ resourceType: 'Patient', id: patientId } satisfies Patient);
    const { shown } = await attest([
      decide('reassign'),
      { name: 'subject', valueReference: { reference: `Patient/${patientId}` } },
    ]);
    expect(shown.resource.subject).toEqual({ reference: `Patient/${patientId}` });
  });

  it('gives a repeat under the same key the same answer, and decides once', async () => {
    const wish = { idempotencyKey: 'k-1' };
    const first = await attest([decide('accept')], wish);
    const again = await attest([decide('accept')], wish);
    expect(again.shown).toEqual(first.shown);
    expect(again.answer.headers).toEqual({ 'idempotency-replayed': 'true' });
    expect((await ground.followUp.read(tenant, report.id)).version).toBe(2);
    await expect(attest([decide('reject')], wish)).rejects.toMatchObject({ code: 'idempotency.mismatch' });
  });

  it('lets one of two decisions about the same version through', async () => {
    const both = await Promise.allSettled([attest([decide('accept')]), attest([decide('reject')])]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'fhir.version_conflict' },
    });
  });

  it('counts versions as the native report does, whoever decided and where', async () => {
    await ground.followUp.review(tenant, report, { decision: 'accept' });
    const { shown } = await attest([decide('correct'), { name: 'outlines', valueInteger: 0 }], { ifMatch: 'W/"2"' });
    expect(shown.version).toBe((await ground.followUp.read(tenant, report.id)).version);
  });
});
