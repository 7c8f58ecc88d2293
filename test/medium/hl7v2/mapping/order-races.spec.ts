import type { ServiceRequest } from '@medplum/fhirtypes';
import { Client } from 'pg';
import type { AnalysisJob } from '../../../../src/core/analysis/analysis-job.js';
import { JobRepository } from '../../../../src/core/analysis/job.repository.js';
import type { Caller } from '../../../../src/core/tenancy/api-key.js';
import { tenantOf } from '../../../../src/core/tenancy/tenant.js';
import { FhirRecords } from '../../../../src/doors/fhir/records/fhir-records.js';
import { applyMessage, er7 } from '../../../support/applied-message.js';
import { DatabaseContext } from '../../../support/database-context.js';
import { eventually } from '../../../support/eventually.js';
import { IntakeGround, photoData } from '../../../support/intake-ground.js';
import { lockWaitsOf } from '../../../support/lock-waits.js';
import { drawResult, squareOf } from '../../../support/wound-results.js';
import { ProjectionGround } from '../../fhir/projection/projection-ground.js';

let ground: IntakeGround;
let context: DatabaseContext;
let projection: ProjectionGround;
let caller: Caller;
let holder: Client;

beforeAll(async () => {
  ground = await IntakeGround.open();
  context = await DatabaseContext.open(ground.database.url);
  projection = new ProjectionGround(context);
  holder = new Client({ connectionString: ground.database.url });
  await holder.connect();
});
afterAll(async () => {
  await holder?.end();
  await context?.close();
  await ground?.close();
});
beforeEach(async () => {
  caller = await ground.createCaller();
});

const ORDER = [
  'PID|1||MRN-1^^^HOSP^MR',
  'ORC|NW|A-1^EHR',
  'OBR|1|A-1^EHR||39135-9^Wound assessment panel^LN',
  'OBX|9|ST|wound-id^^99EHR|1|W-1||||||F',
];
const photo = async (row: number) => `OBX|${row}|ED|72170-4^^LN|1|EHR^IM^JPEG^Base64^${await photoData(row)}||||||F`;
const order = async (photos: number) =>
  er7('OMG^O19^OMG_O19', ...ORDER, ...(await Promise.all(Array.from({ length: photos }, (_, row) => photo(row + 1)))));
const change = (control: string) => er7('OMG^O19^OMG_O19', ORDER[0]!, `ORC|${control}|A-1^EHR`, ORDER[2]!);
const take = async (message: string) =>
  (await applyMessage(ground, caller, message)).map(({ code, severity }) => `${severity} ${code}`);
const placed = async () =>
  (
    await ground
      .get(FhirRecords)
      .findByIdentifier<ServiceRequest>(caller, 'ServiceRequest', [
        { system: 'https://sutura.dev/fhir/sid/hl7v2-authority/EHR', value: 'A-1' },
      ])
  )[0]!;

/** The analysis is done and its report accepted; FHIR does not say so yet. */
async function acceptReportOf({ id, reportId }: AnalysisJob): Promise<void> {
  const jobs = context.get(JobRepository);
  await jobs.complete((await jobs.claim(60, id))!.lease, drawResult(squareOf(9)));
  await projection.followUp.assembly.assemble(tenantOf(caller), id);
  await projection.deliver(tenantOf(caller));
  await projection.followUp.review(tenantOf(caller), await projection.followUp.read(tenantOf(caller), reportId), {
    decision: 'accept',
  });
}
const project = ({ reportId }: AnalysisJob) =>
  projection.within(tenantOf(caller), (transaction) => projection.reports.project(transaction, [reportId]));

/** Somebody else holds the row until this is called. */
async function holding(
  table: 'analysis_requests' | 'fhir_resources',
  condition: string,
  value: string,
): Promise<() => Promise<unknown>> {
  await holder.query('begin');
  const { rowCount } = await holder.query(`select from ${table} where ${condition} for update`, [value]);
  expect(rowCount).toBe(1);
  return () => holder.query('rollback');
}
const waiting = (count: number) =>
  eventually(`${count} to wait for a lock`, async () => (await lockWaitsOf(ground.database.url)) === count);

describe('a change of an order while its final report is written down', () => {
  it.each([
    ['CA', ['error fhir.task_state'], 'active'],
    ['HD', [], 'on-hold'],
  ] as const)(
    'by %s that has the order first is done first, and neither waits for the other without end',
    async (control, told, status) => {
      await take(await order(2));
      const [first] = (await ground.jobs(caller)) as [AnalysisJob];
      await acceptReportOf(first);
      const release = await holding('analysis_requests', 'id = $1', first.id);
      const changed = take(change(control));
      await waiting(1);
      const projected = project(first);
      await waiting(2);
      await release();
      const [problems] = await Promise.all([changed, projected]);
      expect([problems, (await placed()).status]).toEqual([told, status]);
    },
  );

  it.each([
    [1, 'completed'],
    [2, 'active'],
  ] as const)(
    'that comes while the report of an order of %i photos is being written waits for it',
    async (photos, status) => {
      await take(await order(photos));
      const [first] = (await ground.jobs(caller)) as [AnalysisJob];
      await acceptReportOf(first);
      const release = await holding('fhir_resources', `type = 'ServiceRequest' and id = $1`, (await placed()).id!);
      const projected = project(first);
      await waiting(1);
      const changed = take(change('CA'));
      await waiting(2);
      await release();
      const [problems] = await Promise.all([changed, projected]);
      expect(problems).toEqual([expect.stringMatching(/^error fhir\.(?:task_state|version_conflict)$/)]);
      expect((await placed()).status).toBe(status);
    },
  );

  it('by a further photo takes the same locks in the same order', async () => {
    await take(await order(1));
    const [first] = (await ground.jobs(caller)) as [AnalysisJob];
    await acceptReportOf(first);
    const release = await holding('fhir_resources', `type = 'Task' and id = $1`, first.id);
    const projected = project(first);
    await waiting(1);
    expect(await take(er7('ORU^R01', ...ORDER.slice(0, 3), await photo(7), ORDER[3]!))).toEqual([]);
    await release();
    await projected;
    expect((await placed()).status).toBe('active');
    expect(await ground.jobs(caller)).toHaveLength(2);
  });
});
