import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bundle, Resource } from '@medplum/fhirtypes';
import { ApiClient, expectStatus, type Answer } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import type { Gateway } from '../support/gateway.js';
import { drawWoundPhoto } from '../support/wound-photo.js';
import transactionRequest from '../../fhir-profiles/examples/transaction-request.json' with { type: 'json' };

export type Format = 'json' | 'xml';

const SUBJECT = {
  patientId: 'MRN-4711',
  patientSystem: 'urn:oid:2.999.1',
  woundId: 'heel-left',
  bodySite: { system: 'http://snomed.info/sct', code: '84607009', display: 'Skin of heel' },
};
const REVIEWER = { name: 'reviewer', valueReference: { identifier: { value: 'n-17' }, display: 'Nora Field' } };
const DEFINITIONS = [
  'StructureDefinition',
  'ValueSet',
  'CodeSystem',
  'ConceptMap',
  'SearchParameter',
  'OperationDefinition',
  'ImplementationGuide',
];

/** A hospital's worth of everything that a gateway emits: photos with and without scale, reviews, corrections, failures, refusals. */
export async function liveThrough(gateway: Gateway): Promise<ApiClient> {
  const { key } = await gateway.createKey(await gateway.createOrganization());
  const client = new ApiClient(gateway.baseUrl, key);
  const jobs = [];
  for (const [seed, day, scale] of [
    [1, '2026-03-01', { calibration: { mmPerPixel: 0.2 } }],
    [2, '2026-03-15', { calibration: { mmPerPixel: 0.2 } }],
    [3, '2026-03-22', {}],
  ] as const)
    jobs.push(
      await client.analyse(await drawWoundPhoto({ seed }), {
        subject: SUBJECT,
        capturedAt: `${day}T09:12:00+01:00`,
        ...scale,
      }),
    );
  await client.analyse(await drawWoundPhoto({ seed: 4, withoutWound: true }), {
    subject: { ...SUBJECT, woundId: 'heel-right' },
  });
  for (const job of jobs) await shown(client, `DiagnosticReport/${reportOf(job)}`);
  await attest(client, reportOf(jobs[0]), 'accept');
  await attest(client, reportOf(jobs[2]), 'reject');
  const { entry } = expectStatus(200, await client.request('POST', '/fhir', { json: transactionRequest })).body;
  const order = entry.at(-1).response.location.split('/').slice(0, 2).join('/');
  await eventually('the order has its report', async () => {
    const tasks = expectStatus(200, await client.request('GET', `/fhir/Task?focus=${order}`)).body;
    const [task] = (tasks.entry ?? []).map(({ resource }: { resource: { status: string } }) => resource);
    return ['completed', 'failed'].includes(task?.status);
  });
  return client;
}

/** Writes what the FHIR door gives in this format, each resource and each Bundle in a file of its own. */
export async function collect(client: ApiClient, folder: string, format: Format): Promise<number> {
  await mkdir(folder, { recursive: true });
  const resources = await everyVersion(client);
  const reads = resources.map(
    ({ resourceType, id, meta }) => `${resourceType}/${id}/_history/${meta?.versionId ?? '1'}`,
  );
  const [report] = resources.filter(({ resourceType }) => resourceType === 'DiagnosticReport');
  const [patient] = resources.filter(({ resourceType }) => resourceType === 'Patient');
  const answers = [
    ...reads,
    'metadata',
    `DiagnosticReport?_include=DiagnosticReport:result&_revinclude=Provenance:target`,
    `DiagnosticReport/${report!.id}/_history`,
    `Patient/${patient!.id}/$everything`,
    `Observation/$lastn?patient=${patient!.id}`,
    `DiagnosticReport/${report!.id}/$document`,
    `DiagnosticReport/${report!.id}/$validate`,
    'AuditEvent?_count=50',
    'Patient/no-such-patient',
    'Patient?no-such-parameter=1&_count=0',
    ...DEFINITIONS.map((type) => `${type}?_count=200`),
  ];
  let count = 0;
  for (const path of answers) {
    const answer = await client.request('GET', `/fhir/${path}`, {
      headers: { accept: `application/fhir+${format}`, prefer: 'handling=strict' },
    });
    if (answer.status === 404 && path.startsWith('ImplementationGuide')) continue;
    count += 1;
    const name = `${String(count).padStart(4, '0')}-${path.replaceAll(/[^\w.-]+/g, '_').slice(0, 80)}.${format}`;
    await writeFile(join(folder, name), answer.bytes);
  }
  return count;
}

/** All versions of all resources, by the history of the server. */
async function everyVersion(client: ApiClient): Promise<Resource[]> {
  const found: Resource[] = [];
  let next: string | undefined = '/fhir/_history?_count=200';
  while (next !== undefined) {
    const page: Bundle = expectStatus(200, await client.request('GET', next)).body;
    found.push(...(page.entry ?? []).flatMap(({ resource }) => (resource === undefined ? [] : [resource])));
    next = page.link?.find(({ relation }) => relation === 'next')?.url;
  }
  return found;
}

async function attest(client: ApiClient, reportId: string, decision: string): Promise<void> {
  const etag = (await client.request('GET', `/fhir/DiagnosticReport/${reportId}`)).headers.get('etag')!;
  const parameter = [REVIEWER, { name: 'decision', valueCode: decision }];
  expectStatus(
    200,
    await client.request('POST', `/fhir/DiagnosticReport/${reportId}/$attest`, {
      json: { resourceType: 'Parameters', parameter },
      headers: { 'if-match': etag },
    }),
  );
}

function shown(client: ApiClient, path: string): Promise<unknown> {
  return eventually(`${path} is shown`, async () => (await client.request('GET', `/fhir/${path}`)).status === 200);
}

function reportOf(job: Answer['body']): string {
  return job.links.report.split('/').at(-1);
}
