import type { Bundle, ServiceRequest } from '@medplum/fhirtypes';
import { v7 } from 'uuid';
import { AnalysisRequestService } from '../../../../src/core/analysis/analysis-request.service.js';
import { SuturaError } from '../../../../src/core/errors/sutura-error.js';
import type { Caller } from '../../../../src/core/tenancy/api-key.js';
import { FhirRecords } from '../../../../src/doors/fhir/records/fhir-records.js';
import { queryDatabase } from '../../../support/database-query.js';
import { IntakeGround, photoData } from '../../../support/intake-ground.js';
import { mediaOf, orderOf, PATIENT_NUMBERS, patientOf, woundOf } from '../../../support/intake-resources.js';

type Options = Parameters<FhirRecords['apply']>[2];

const DAY_MS = 86_400_000;

let ground: IntakeGround;
let caller: Caller;
beforeAll(async () => {
  ground = await IntakeGround.open();
});
afterAll(() => ground?.close());
beforeEach(async () => {
  caller = await ground.createCaller();
});

const entryOf = (name: string, resource: object) => ({
  fullUrl: `urn:uuid:${name}`,
  resource,
  request: { method: 'POST', url: (resource as { resourceType: string }).resourceType },
});
const bundleOf = (...entry: object[]) => ({ resourceType: 'Bundle', type: 'transaction', entry }) as Bundle;
const [P, W, S, M] = [v7(), v7(), v7(), v7()];
const linked = <T extends object>(resource: T): T =>
  JSON.parse(
    JSON.stringify(resource).replaceAll(
      /"(?:Patient|BodyStructure|ServiceRequest)\/([0-9a-f-]{36})"/g,
      '"urn:uuid:$1"',
    ),
  ) as T;

/** Patient, wound, order and photo, as a message brings them. */
async function photoOrder(number = 'MRN-1', seed = 1): Promise<Bundle> {
  const photo = linked(mediaOf({ data: await photoData(seed) }, { patientId: P, woundId: W, orderId: S }));
  return bundleOf(
    entryOf(P, patientOf(number)),
    entryOf(W, linked(woundOf(P))),
    entryOf(S, linked(orderOf(P))),
    entryOf(M, photo),
  );
}
const apply = (bundle: Bundle, wish: Partial<Options> = {}) =>
  ground.get(FhirRecords).apply(caller, bundle, {
    requestId: 'm-1',
    quota: 'refuse',
    joins: [],
    waitingOrders: [],
    newPhotos: [],
    newOrders: [],
    within: () => Promise.resolve(),
    ...wish,
  });
const kept = async () => [
  await ground.count('fhir_resources', caller),
  await ground.count('analysis_jobs', caller),
  await ground.count('images', caller, `status <> 'deleted'`),
];
const setLimit = (limit: number) =>
  queryDatabase(ground.database.url, 'update organizations set daily_limit_override = $2 where id = $1', [
    caller.organizationId,
    limit,
  ]);

describe('a Bundle that another door hands over', () => {
  it.each([
    ['is no transaction', () => ({ resourceType: 'Bundle', type: 'batch' }), 'fhir.bundle'],
    ['holds what is not valid', () => bundleOf(entryOf(P, { resourceType: 'Patient', gender: 'x' })), 'fhir.structure'],
    [
      'holds a photo that is none',
      () => bundleOf(entryOf(M, mediaOf({ data: Buffer.from('no photo').toString('base64') }))),
      'fhir.image',
    ],
    ['names what is not there', () => bundleOf(entryOf(S, orderOf(v7()))), 'fhir.reference'],
  ])('is refused where it %s, and leaves nothing', async (_, bundle, code) => {
    await expect(apply(bundle() as Bundle)).rejects.toMatchObject({ code });
    expect(await kept()).toEqual([0, 0, 0]);
  });

  it('leaves nothing, not even its photo, where what is done within it fails', async () => {
    await expect(
      apply(await photoOrder(), { within: () => Promise.reject(new SuturaError('service.unavailable')) }),
    ).rejects.toMatchObject({ code: 'service.unavailable' });
    expect(await kept()).toEqual([0, 0, 0]);
    expect(await ground.count('quota_usage', caller, 'used > 0')).toBe(0);
  });

  it('is kept as a client’s is, with its analysis as one of HL7 v2', async () => {
    const bundle = await photoOrder();
    const before = JSON.stringify(bundle);
    const applied = await apply(bundle);
    expect(JSON.stringify(bundle)).toBe(before);
    const [job] = await ground.jobs(caller);
    expect(applied.references.map((reference) => reference.split('/')[0])).toEqual([
      'Patient',
      'BodyStructure',
      'ServiceRequest',
      'Media',
    ]);
    expect(applied).toMatchObject({
      analysisIds: [job!.id],
      analysesOfEntries: [[], [], [job!.id], [job!.id]],
      waitsForQuotaUntil: null,
    });
    expect(job).toMatchObject({
      source: 'hl7v2',
      patientId: applied.references[0]!.split('/')[1],
      subject: { woundId: 'W-1' },
    });
    const rows = await queryDatabase<{ door: string; interaction: string }>(
      ground.database.url,
      'select distinct door, interaction from audit_events where organization_id = $1',
      [caller.organizationId],
    );
    expect(rows).toEqual([{ door: 'hl7v2', interaction: 'transaction' }]);
  });

  it('tells within its transaction what became of it, before anybody else sees it', async () => {
    const seen: unknown[] = [];
    const applied = await apply(await photoOrder(), {
      within: async (_, application) => void seen.push(application, await ground.count('analysis_jobs', caller)),
    });
    expect(seen).toEqual([applied, 0]);
  });

  it('finds and reads what is there by now', async () => {
    const records = ground.get(FhirRecords);
    const { references } = await apply(await photoOrder());
    const mrn = { system: PATIENT_NUMBERS, value: 'MRN-1' };
    expect(
      await records.findByIdentifier(caller, 'Patient', [{ system: PATIENT_NUMBERS, value: 'x|,$\\' }, mrn]),
    ).toMatchObject([{ id: references[0]!.split('/')[1] }]);
    expect(
      await records.findByIdentifier(caller, 'BodyStructure', [{ system: 'urn:oid:1.2.3.4.5.8', value: 'W-1' }]),
    ).toMatchObject([{ id: references[1]!.split('/')[1] }]);
    expect(await records.findByIdentifier({ ...caller, environment: 'live' }, 'Patient', [mrn])).toEqual([]);
    expect(await records.findByIdentifier(caller, 'ServiceRequest', [])).toEqual([]);
    expect(await records.read(caller, 'ServiceRequest', references[2]!.split('/')[1]!)).toMatchObject({
      resourceType: 'ServiceRequest',
      status: 'active',
    });
    expect(
      await records.read({ ...caller, environment: 'live' }, 'ServiceRequest', references[2]!.split('/')[1]!),
    ).toBeNull();
  });

  it('names the analyses of an order that it changes', async () => {
    const placed = await apply(bundleOf(entryOf(P, patientOf()), entryOf(S, linked(orderOf(P)))));
    const order = (await ground
      .get(FhirRecords)
      .read<ServiceRequest>(caller, 'ServiceRequest', placed.references[1]!.split('/')[1]!))!;
    const put = (status: string) =>
      apply(
        bundleOf({ resource: { ...order, status }, request: { method: 'PUT', url: `ServiceRequest/${order.id}` } }),
      );
    expect(await put('on-hold')).toMatchObject({
      references: [`ServiceRequest/${order.id}`],
      analysisIds: placed.analysisIds,
    });
    expect((await put('revoked')).analysisIds).toEqual([]);
  });
});

describe('Bundles that come at the same time', () => {
  let patientIds: string[];
  const finding = (subject: string) => ({
    resourceType: 'Observation',
    status: 'final',
    code: { coding: [{ system: 'http://loinc.org', code: '39126-8' }] },
    subject: { reference: subject },
    effectiveDateTime: '2026-03-15T09:40:00+01:00',
    valueQuantity: { value: 3.4, unit: 'cm', system: 'http://unitsofmeasure.org', code: 'cm' },
  });
  const ofPatient = (patientId: string) => bundleOf(entryOf(v7(), finding(`Patient/${patientId}`)));
  const transactions = async () =>
    (
      await queryDatabase<{ transactions: number }>(
        ground.database.url,
        `select count(distinct xmin::text)::int as transactions from fhir_resources where organization_id = $1 and type = 'Observation'`,
        [caller.organizationId],
      )
    )[0]!.transactions;
  const findings = () => ground.count('fhir_resources', caller, `type = 'Observation'`);

  beforeEach(async () => {
    const { references } = await apply(bundleOf(...['A', 'B', 'C'].map((name) => entryOf(v7(), patientOf(name)))));
    patientIds = references.map((reference) => reference.split('/')[1]!);
  });

  it.each([
    [
      'names what is not there',
      () => apply(ofPatient(v7())),
      { code: 'fhir.reference', issues: [{ expression: expect.stringContaining('Bundle.entry[0]') as string }] },
    ],
    [
      'must not be kept after all',
      () => apply(ofPatient(patientIds[0]!), { within: () => Promise.reject(new Error('The lease has passed on.')) }),
      { message: 'The lease has passed on.' },
    ],
  ])('are kept but for one that %s', async (_, refused, fault) => {
    const settled = await Promise.allSettled([
      apply(ofPatient(patientIds[0]!)),
      refused(),
      ...patientIds.slice(1).map((patientId) => apply(ofPatient(patientId))),
    ]);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(settled[1]).toMatchObject({ reason: fault });
    expect(await findings()).toBe(3);
  });

  it('make a patient that two of them bring once', async () => {
    const bringing = () => {
      const name = `urn:uuid:${P}`;
      return apply(bundleOf(entryOf(P, patientOf('NEW')), entryOf(W, finding(name))));
    };
    const settled = await Promise.allSettled([bringing(), bringing()]);
    expect(settled).toMatchObject([{ status: 'fulfilled' }, { reason: { code: 'fhir.duplicate' } }]);
    expect(await findings()).toBe(1);
  });

  it('share a transaction, and each has its own answer and its own line in the audit trail', async () => {
    const seen: string[][] = [];
    const applied = await Promise.all(
      patientIds.map((patientId, at) =>
        apply(ofPatient(patientId), {
          requestId: `m-${at}`,
          within: (_, { references }) => Promise.resolve(void seen.push([...references])),
        }),
      ),
    );
    expect(await transactions()).toBe(1);
    expect(seen).toEqual(applied.map(({ references }) => references));
    const lines = await queryDatabase<{ request: string; patient: string; resources: string[] }>(
      ground.database.url,
      `select request_id as request, patient_id as patient, resources from audit_events where organization_id = $1 and request_id like 'm-_' and interaction = 'transaction' and $2 <> all(resources) order by request_id`,
      [caller.organizationId, `Patient/${patientIds[0]}`],
    );
    expect(lines).toEqual(
      patientIds.map((patientId, at) => ({
        request: `m-${at}`,
        patient: patientId,
        resources: applied[at]!.references,
      })),
    );
  });

  it('leave one that asks for an analysis to a transaction of its own', async () => {
    await Promise.all([apply(await photoOrder()), ...patientIds.map((patientId) => apply(ofPatient(patientId)))]);
    expect([await transactions(), (await ground.jobs(caller)).length]).toEqual([1, 1]);
  });
});

describe('an analysis beyond the quota', () => {
  beforeEach(() => setLimit(1));

  it('refuses the whole Bundle where the door wants that', async () => {
    await apply(await photoOrder());
    const before = await kept();
    await expect(apply(await photoOrder('MRN-2', 2))).rejects.toMatchObject({ code: 'quota.exceeded' });
    expect(await kept()).toEqual(before);
  });

  it('waits where the door wants that, and begins once the quota has returned', async () => {
    await apply(await photoOrder(), { quota: 'wait' });
    const applied = await apply(await photoOrder('MRN-2', 2), { quota: 'wait' });
    const returnsAt = applied.waitsForQuotaUntil!.getTime();
    const midnight = Math.round(returnsAt / DAY_MS) * DAY_MS;
    expect(Math.abs(returnsAt - midnight)).toBeLessThan(5000);
    const [{ created_at: askedAt } = { created_at: new Date(0) }] = await queryDatabase<{ created_at: Date }>(
      ground.database.url,
      'select max(created_at) as created_at from analysis_requests where organization_id = $1',
      [caller.organizationId],
    );
    expect(midnight - askedAt.getTime()).toBeGreaterThan(-5000);
    expect(midnight - askedAt.getTime()).toBeLessThan(DAY_MS + 5000);
    expect(applied.analysisIds).toHaveLength(1);
    expect(await ground.jobs(caller)).toHaveLength(1);
    expect((await ground.tasks(caller)).map(({ status }) => status)).toEqual(['accepted', 'received']);

    const requests = ground.get(AnalysisRequestService);
    await requests.sweep();
    expect(await ground.jobs(caller)).toHaveLength(1);
    await setLimit(2);
    await queryDatabase(
      ground.database.url,
      'update analysis_requests set retry_at = now() where organization_id = $1',
      [caller.organizationId],
    );
    await requests.sweep();
    await ground.relay();
    expect((await ground.jobs(caller)).map(({ id, source }) => [id, source])).toContainEqual([
      applied.analysisIds[0],
      'hl7v2',
    ]);
    expect((await ground.tasks(caller)).map(({ status }) => status)).toEqual(['accepted', 'accepted']);
  });

  it('waits as well where its photo comes later, and where it was held', async () => {
    await apply(await photoOrder(), { quota: 'wait' });
    const placed = await apply(bundleOf(entryOf(P, patientOf('MRN-2')), entryOf(S, linked(orderOf(P)))), {
      quota: 'wait',
    });
    expect(placed.waitsForQuotaUntil).toBeNull();
    const orderId = placed.references[1]!.split('/')[1]!;
    const photo = mediaOf({ data: await photoData(2) }, { patientId: placed.references[0]!.split('/')[1]!, orderId });
    const sent = await apply(bundleOf(entryOf(M, photo)), { quota: 'wait' });
    expect([sent.analysisIds, sent.waitsForQuotaUntil === null]).toEqual([placed.analysisIds, false]);
    const order = (await ground.get(FhirRecords).read<ServiceRequest>(caller, 'ServiceRequest', orderId))!;
    const put = (status: string) =>
      apply(
        bundleOf({ resource: { ...order, status }, request: { method: 'PUT', url: `ServiceRequest/${orderId}` } }),
        { quota: 'wait' },
      );
    expect((await put('on-hold')).waitsForQuotaUntil).toBeNull();
    expect((await put('active')).waitsForQuotaUntil).not.toBeNull();
    expect(await ground.jobs(caller)).toHaveLength(1);
  });
});
