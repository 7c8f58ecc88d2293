import { expectStatus } from '../../support/api-client.js';
import { queryDatabase } from '../../support/database-query.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { Hl7Hospital, orderMessage } from '../../support/hl7-hospital.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

/** Rounds before and after: several connections know their statements by then. */
const ROUNDS = 3;
const TABLES = `select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`;

describe('a gateway that goes on serving while a later release adds columns to every table', () => {
  let gateway: Gateway;
  let hospital: Hl7Hospital;

  beforeAll(async () => {
    gateway = await startGateway();
    hospital = await Hl7Hospital.open(gateway);
  });
  afterAll(async () => {
    await hospital?.close();
    await gateway?.stop();
  });

  /** A photo over each door, and what is read of it. */
  const work = async (round: number): Promise<void> => {
    const { client } = hospital;
    const subject = { patientId: 'MRN-1', woundId: 'W-1', laterality: 'left' };
    const job = await client.analyse(await drawWoundPhoto({ seed: round }), { subject });
    expect(job.status).toBe('completed');
    expectStatus(200, await client.request('GET', job.links.report));
    expectStatus(200, await client.request('GET', '/api/v1/analysis/jobs'));
    const code = { coding: [{ system: 'http://loinc.org', code: '39126-8' }] };
    const valueQuantity = { value: round, unit: 'cm', system: 'http://unitsofmeasure.org', code: 'cm' };
    const observation = { resourceType: 'Observation', status: 'final', code, valueQuantity };
    const headers = { 'content-type': 'application/fhir+json' };
    expectStatus(201, await client.request('POST', '/fhir/Observation', { json: observation, headers }));
    expectStatus(200, await client.request('GET', '/fhir/DiagnosticReport?status=preliminary'));
    const order = `ORD-${round}`;
    await hospital.send(orderMessage({ order, photo: await drawWoundPhoto({ seed: 100 + round }), wound: 'W-2' }));
    await hospital.result(order);
  };

  it('fails no request, no job and no message, though every connection knows statements from before', async () => {
    for (let round = 1; round <= ROUNDS; round += 1) await work(round);
    for (const { table_name: table } of await queryDatabase<{ table_name: string }>(gateway.databaseUrl, TABLES))
      await queryDatabase(gateway.databaseUrl, `alter table "${table}" add column of_a_later_release integer`);
    for (let round = ROUNDS + 1; round <= 2 * ROUNDS; round += 1) await work(round);
    const jobs = await queryDatabase<{ attempts: number }>(gateway.databaseUrl, 'select attempts from analysis_jobs');
    expect(jobs.map(({ attempts }) => attempts)).toEqual(Array.from({ length: 4 * ROUNDS }, () => 1));
    expect(gateway.logs).not.toMatch(/"level":"?(error|50)/);
  });
});
