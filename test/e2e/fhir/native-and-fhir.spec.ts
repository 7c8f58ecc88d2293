import { createHash } from 'node:crypto';
import type { DiagnosticReport } from '@medplum/fhirtypes';
import { ApiClient, expectStatus, type Answer } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import { ALL_SCOPES, type SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { drawSmallWoundPhoto } from '../../support/wound-photo.js';
import { FHIR_XML, fromXml } from '../../support/xml-documents.js';

type Body = Answer['body'];

const SUBJECT = {
  patientId: 'MRN-4711',
  patientSystem: 'urn:oid:1.2.3',
  woundId: 'heel-left',
  bodySite: { system: 'http://snomed.info/sct', code: '84607009', display: 'Skin of heel' },
};
const PARAMETERS = (parameter: object[]) => ({
  resourceType: 'Parameters',
  parameter: [
    { name: 'reviewer', valueReference: { identifier: { value: 'n-17' }, display: 'Nora Field' } },
    ...parameter,
  ],
});

describe('an analysis that was asked for natively, seen through the FHIR door', () => {
  let gateway: SharedGateway;
  let organizationId: string;
  let client: ApiClient;
  let jobs: Body[];

  const reportIdOf = (job: Body): string => (job.links.report as string).split('/').at(-1)!;
  const read = async (path: string): Promise<Answer> => expectStatus(200, await client.request('GET', `/fhir/${path}`));
  /** The resource once the projection has written it. */
  const shown = (path: string): Promise<Body> =>
    eventually(`${path} is shown`, async () => {
      const answer = await client.request('GET', `/fhir/${path}`);
      return answer.status === 200 ? answer.body : undefined;
    });
  const native = async (reportId: string): Promise<Body> =>
    expectStatus(200, await client.request('GET', `/api/v1/reports/${reportId}`)).body;
  const attest = (reportId: string, parameter: object[], headers: Record<string, string>) =>
    client.request('POST', `/fhir/DiagnosticReport/${reportId}/$attest`, { json: PARAMETERS(parameter), headers });
  const auditEvents = async (query = ''): Promise<Body[]> => {
    const answer = expectStatus(
      200,
      await gateway.admin('GET', `/organizations/${organizationId}/audit-events${query}`),
    );
    return (answer.body.entry ?? []).map(({ resource }: { resource: Body }) => resource);
  };

  beforeAll(async () => {
    gateway = await sharedGateway();
    organizationId = await gateway.createOrganization();
    const { key } = await gateway.createKey(organizationId);
    client = (await gateway.createClient()).at(gateway.baseUrl);
    client = new (client.constructor as new (baseUrl: string, key: string) => ApiClient)(gateway.baseUrl, key);
    jobs = [];
    for (const [seed, day] of [
      [1, '2026-03-01'],
      [2, '2026-03-15'],
    ] as const) {
      jobs.push(
        await client.analyse(await drawSmallWoundPhoto({ seed }), {
          subject: SUBJECT,
          capturedAt: `${day}T09:12:00Z`,
          calibration: { mmPerPixel: 0.2 },
        }),
      );
    }
    for (const job of jobs) await shown(`DiagnosticReport/${reportIdOf(job)}`);
  });

  it('is not in FHIR without a patient', async () => {
    const job = await client.analyse(await drawSmallWoundPhoto({ seed: 3 }));
    const nobody = reportIdOf(job);
    expect(expectStatus(404, await client.request('GET', `/fhir/DiagnosticReport/${nobody}`)).body.resourceType).toBe(
      'OperationOutcome',
    );
    expectStatus(404, await client.request('GET', `/fhir/Task/${job.id}`));
    expectStatus(404, await attest(nobody, [{ name: 'decision', valueCode: 'accept' }], { 'if-match': 'W/"1"' }));
    expect((await native(nobody)).version).toBe(1);
  });

  it('says the same through both doors, with the same ids', async () => {
    const [first, second] = jobs.map(reportIdOf) as [string, string];
    const report = (await read(`DiagnosticReport/${second}`)).body;
    const said = await native(second);
    const area = (await read(`Observation/${second}-area`)).body;
    const figures = said.findings.figures;
    expect(report).toMatchObject({
      status: said.status,
      effectiveDateTime: said.capturedAsStated,
      issued: said.issuedAt,
      meta: { versionId: String(said.version) },
    });
    expect(area).toMatchObject({
      valueQuantity: { value: figures.area.cm2.value, code: 'cm2' },
      derivedFrom: [{ reference: `Media/${jobs[1].imageId}` }],
      focus: [{ reference: `BodyStructure/${said.subject.woundRef}` }],
    });
    expect((await read(`Observation/${second}-progress`)).body).toMatchObject({
      valueQuantity: { value: said.comparison.sincePrevious.areaPct },
      derivedFrom: [{}, { reference: `Observation/${first}-area` }],
    });
    expect((await read(`Task/${jobs[1].id}`)).body).toMatchObject({
      status: 'completed',
      output: [{ valueReference: { reference: `DiagnosticReport/${second}` } }],
    });
    expect((await read(`Patient?identifier=urn:oid:1.2.3|MRN-4711`)).body).toMatchObject({
      total: 1,
      entry: [{ resource: { id: report.subject.reference.split('/')[1] } }],
    });
  });

  it('gives the photo, and the report as PDF, behind their addresses', async () => {
    const [job] = jobs;
    const media = (await read(`Media/${job.imageId}`)).body;
    const photo = await client.request('GET', `/fhir/${media.content.url}`);
    expect([photo.status, photo.headers.get('content-type'), photo.bytes.length]).toEqual([
      200,
      'image/jpeg',
      media.content.size,
    ]);
    const { presentedForm } = (await read(`DiagnosticReport/${reportIdOf(job)}`)).body;
    const document = await client.request('GET', `/fhir/${presentedForm[0].url}`);
    expect([document.status, document.headers.get('content-type'), document.bytes.subarray(0, 5).toString()]).toEqual([
      200,
      'application/pdf',
      '%PDF-',
    ]);
  });

  it('gives the same bytes of a version through every door, with the size and hash that each answer states', async () => {
    const reportId = reportIdOf(jobs[0]);
    const report = (await read(`DiagnosticReport/${reportId}`)).body;
    const [form] = report.presentedForm;
    expect(form).toMatchObject({
      contentType: 'application/pdf',
      language: 'en',
      title: 'Wound assessment report',
      creation: expect.any(String),
    });
    const headers = { accept: 'application/pdf' };
    const present = await client.request('GET', `/api/v1/reports/${reportId}`, { headers });
    const version = await client.request('GET', `/api/v1/reports/${reportId}/versions/${report.meta.versionId}`, {
      headers,
    });
    const binary = await client.request('GET', `/fhir/${form.url}`);
    const asJson = await client.request('GET', `/fhir/${form.url}`, { headers: { accept: 'application/fhir+json' } });
    for (const bytes of [present.bytes, version.bytes, binary.bytes, Buffer.from(asJson.body.data, 'base64')]) {
      expect(bytes.length).toBe(form.size);
      expect(createHash('sha1').update(bytes).digest('base64')).toBe(form.hash);
    }
    const address = `DiagnosticReport/${reportId}`;
    const lists = [
      (await read(`DiagnosticReport?_id=${reportId}`)).body,
      (await read(`${address}/_history`)).body,
      expectStatus(
        200,
        await client.request('POST', '/fhir', {
          json: { resourceType: 'Bundle', type: 'batch', entry: [{ request: { method: 'GET', url: address } }] },
        }),
      ).body,
    ];
    const forms = lists.flatMap(({ entry }) =>
      entry.map(({ resource }: { resource: DiagnosticReport }) =>
        resource.presentedForm?.find(({ url }) => url === form.url),
      ),
    );
    expect(forms.filter((one) => one !== undefined)).toEqual([form, form, form]);
    expect((await read(`${address}/_history/${report.meta.versionId}`)).body.presentedForm).toEqual([form]);
  });

  it('is attested with the ETag that was read, and never with an older one', async () => {
    const reportId = reportIdOf(jobs[0]);
    const etag = (await read(`DiagnosticReport/${reportId}`)).headers.get('etag')!;
    const decision = [{ name: 'decision', valueCode: 'accept' }];
    expectStatus(412, await attest(reportId, decision, {}));
    const accepted = expectStatus(200, await attest(reportId, decision, { 'if-match': etag }));
    expect(accepted.body).toMatchObject({
      resourceType: 'DiagnosticReport',
      id: reportId,
      status: 'final',
      resultsInterpreter: [{ display: 'Nora Field' }],
    });
    expectStatus(412, await attest(reportId, decision, { 'if-match': etag }));
    expect(await native(reportId)).toMatchObject({ version: 2, status: 'final', review: { reviewer: { id: 'n-17' } } });
    const now = (await read(`DiagnosticReport/${reportId}`)).headers.get('etag');
    expect([etag, now]).toEqual(['W/"1"', 'W/"2"']);
    const byNativeDoor = await client.request('POST', `/api/v1/reports/${reportId}/reviews`, {
      json: { decision: 'reject', reviewer: { id: 'n-17', name: 'Nora Field' } },
      headers: { 'if-match': (await client.request('GET', `/api/v1/reports/${reportId}`)).headers.get('etag')! },
    });
    expectStatus(201, byNativeDoor);
    await eventually(
      'the rejection is shown',
      async () => (await read(`DiagnosticReport/${reportId}`)).body.status === 'entered-in-error',
    );
    expect((await read(`DiagnosticReport/${reportId}/_history/2`)).body.status).toBe('final');
  });

  it('stands in the history of its wound, and among the latest observations', async () => {
    const { woundRef } = (await native(reportIdOf(jobs[1]))).subject;
    const history = (await read(`BodyStructure/${woundRef}/$history-of-wound?start=2026-03-02`)).body;
    expect(
      history.entry.filter(({ search }: Body) => search.mode === 'match').map(({ resource }: Body) => resource.id),
    ).toEqual([reportIdOf(jobs[1])]);
    const patient = (await read(`DiagnosticReport/${reportIdOf(jobs[1])}`)).body.subject.reference;
    const latest = (await read(`Observation/$lastn?patient=${patient}&code=http://loinc.org|89260-4`)).body;
    expect(latest.entry.map(({ resource }: Body) => resource.id)).toEqual([`${reportIdOf(jobs[1])}-area`]);
    expectStatus(400, await client.request('GET', '/fhir/Observation/$lastn?code=89260-4'));
    expectStatus(404, await client.request('GET', `/fhir/BodyStructure/${jobs[0].id}/$history-of-wound`));
  });

  it('leaves a line in the trail for each access, which only the operator reads', async () => {
    const reportId = reportIdOf(jobs[1]);
    await read(`DiagnosticReport/${reportId}`);
    await client.request('GET', `/api/v1/reports/${reportId}`, {
      headers: { accept: 'application/pdf', 'x-request-id': 'pdf-1' },
    });
    await read('Observation?code=89260-4');
    expectStatus(200, await client.readJob(jobs[1].id));
    // The refusal of the test before is written a while after it, perhaps between these.
    const events = (await auditEvents('?limit=10')).filter(({ outcome }) => outcome === '0');
    const words = events
      .slice(0, 4)
      .map(({ subtype, entity }) => [subtype[0].code, entity.map(({ what }: Body) => what?.reference).filter(Boolean)]);
    const patient = (await read(`DiagnosticReport/${reportId}`)).body.subject.reference;
    expect(words).toEqual([
      ['read', [patient, `Task/${jobs[1].id}`]],
      ['search-type', [patient]],
      ['read', [patient, `DiagnosticReport/${reportId}`]],
      ['read', [patient, `DiagnosticReport/${reportId}`]],
    ]);
    expect(events[0].agent[0].network.address).toBe('127.0.0.1');
    expect(
      Buffer.from(events[1].entity.find(({ query }: Body) => query !== undefined).query, 'base64').toString(),
    ).toBe('code=89260-4');
    expect(JSON.stringify(events[2])).toContain('pdf-1');
    expect(await auditEvents(`?patient=${patient.split('/')[1]}&limit=3`)).toHaveLength(3);
    expectStatus(401, await client.request('GET', `/admin/v1/organizations/${organizationId}/audit-events`));
    const { key } = await gateway.createKey(
      organizationId,
      'test',
      ALL_SCOPES.filter((scope) => scope !== 'audit:read'),
    );
    expectStatus(403, await new ApiClient(gateway.baseUrl, key).request('GET', '/fhir/AuditEvent'));
    expectStatus(400, await gateway.admin('GET', `/organizations/${organizationId}/audit-events?limit=0`));
  });

  it('comes as a document, in JSON and XML, in the language asked for; that of another organization does not', async () => {
    const path = `/fhir/DiagnosticReport/${reportIdOf(jobs[1])}/$document`;
    const german = { 'accept-language': 'de' };
    const json = expectStatus(200, await client.request('GET', path, { headers: german }));
    const xml = expectStatus(200, await client.request('GET', path, { headers: { ...german, accept: FHIR_XML } }));
    expect(xml.headers.get('content-type')).toContain(FHIR_XML);
    const documents = [json.body, fromXml<Body>(xml.bytes)];
    for (const { type, entry } of documents) {
      const [composition, report] = entry.map(({ resource }: Body) => resource);
      expect([type, composition.language, report.resourceType]).toEqual(['document', 'de', 'DiagnosticReport']);
    }
    // Each is made anew, with an id of its own; the words are the same.
    const [said, again] = documents.map(({ entry }) => entry[0].resource.section);
    expect(again).toEqual(said);
    const stranger = await gateway.createClient();
    expectStatus(404, await stranger.request('GET', path));
    expectStatus(404, await client.request('GET', `/fhir/BodyStructure/${jobs[0].id}/$document`));
  });
});
