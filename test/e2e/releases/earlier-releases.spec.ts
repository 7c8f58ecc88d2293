import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MIGRATION_CHECKSUMS } from '../../../migrations/checksums.js';
import { send, type Answer } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { queryDatabase } from '../../support/database-query.js';
import { readReleaseData, releasesWithData, restoreRelease } from '../../support/release-data.js';
import type { TestDatabase } from '../../support/test-database.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

const PDF = '%PDF-';

it('there is data of release 0.1.0', () => {
  expect(releasesWithData()).toContain('0.1.0');
});

describe.each(releasesWithData())('the data of release %s, opened by this build', (release) => {
  const data = readReleaseData(release);
  const { expected } = data;
  let dataDir: string;
  let database: TestDatabase;
  let gateway: Gateway;
  let key: string;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'sutura-earlier-'));
    database = await restoreRelease(data, dataDir);
    gateway = await startGateway({ databaseUrl: database.url, dataDir });
    ({ key } = await gateway.createKey(expected.organizationId));
  });
  afterAll(async () => {
    await gateway?.stop();
    await database?.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const get = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
    send('GET', `${gateway.baseUrl}${path}`, { key, headers });

  it('was made by the migrations that this build has', () => {
    expect(MIGRATION_CHECKSUMS).toMatchObject(data.migrations);
  });

  it('has every report, with the figures that it had', async () => {
    expect(expected.native.length).toBeGreaterThan(0);
    for (const { path, version, status, areaCm2 } of expected.native) {
      const { status: code, body } = await get(path);
      expect([code, body.version, body.status, body.findings?.figures?.area.cm2?.value ?? null]).toEqual([
        200,
        version,
        status,
        areaCm2,
      ]);
    }
  });

  it('has every report as a PDF, as a page and as text, and every version', async () => {
    for (const { path } of expected.native) {
      const pdf = await fetch(`${gateway.baseUrl}${path}`, {
        headers: { authorization: `Bearer ${key}`, accept: 'application/pdf' },
      });
      expect([
        pdf.status,
        Buffer.from(await pdf.arrayBuffer())
          .subarray(0, PDF.length)
          .toString(),
      ]).toEqual([200, PDF]);
      for (const accept of ['text/html', 'text/plain'])
        expect(
          (await fetch(`${gateway.baseUrl}${path}`, { headers: { authorization: `Bearer ${key}`, accept } })).status,
        ).toBe(200);
      expect((await get(`${path}/versions`)).status).toBe(200);
    }
  });

  it('has every FHIR resource, by search and by read, and beside them only the models of this installation', async () => {
    const models = (await get('/api/v1/models')).body.items as { name: string; version: string }[];
    const ofModels = models.map(({ name, version }) => `Device/${name}-${version}`);
    const isOfModel = (path: string) => ofModels.includes(path) || path.endsWith('-model-card');
    for (const { type, ids } of expected.fhir) {
      const { status, body } = await get(`/fhir/${type}?_count=200`);
      const found = (body.entry ?? []).map(({ resource }: { resource: { id: string } }) => resource.id).sort();
      expect([status, type, found.filter((id: string) => ids.includes(id) || !isOfModel(`${type}/${id}`))]).toEqual([
        200,
        type,
        ids,
      ]);
      for (const id of ids) expect((await get(`/fhir/${type}/${id}`)).status).toBe(200);
    }
  });

  it('has every HL7 v2 message, in and out', async () => {
    for (const [direction, table] of [
      ['in', 'hl7_inbound'],
      ['out', 'hl7_outbox'],
    ] as const) {
      const ids = (data.tables[table] ?? []).map((row) => (JSON.parse(row) as { id: string }).id);
      const { status, body } = await gateway.admin(
        'GET',
        `/hl7/messages?direction=${direction}&organizationId=${expected.organizationId}&environment=test`,
      );
      expect([status, body.items.map(({ messageId }: { messageId: string }) => messageId).sort()]).toEqual([
        200,
        ids.sort(),
      ]);
      expect(ids.length).toBeGreaterThan(0);
      for (const id of ids)
        expect((await gateway.admin('GET', `/hl7/messages/${id}`)).body).toMatchObject({
          messageId: id,
          message: expect.stringContaining('MSH|'),
        });
    }
  });

  it('goes on: a wound’s next photo is compared with those of before, over every door', async () => {
    const { body: wounds } = await get('/api/v1/wounds?patientId=MRN-0100');
    const before = wounds.items[0];
    const { body: ticket } = await send('POST', `${gateway.baseUrl}/api/v1/images/upload-url`, { key, json: {} });
    expect(
      (
        await fetch(ticket.uploadUrl, {
          method: 'PUT',
          headers: ticket.headers,
          body: new Uint8Array(await drawWoundPhoto()),
        })
      ).status,
    ).toBe(200);
    const subject = { patientId: 'MRN-0100', woundId: 'heel-left' };
    const created = await send('POST', `${gateway.baseUrl}/api/v1/analysis/jobs`, {
      key,
      json: { imageId: ticket.imageId, subject, calibration: { mmPerPixel: 0.2 } },
    });
    const { body: done } = await get(`/api/v1/analysis/jobs/${created.body.id}`, { prefer: 'wait=30' });
    expect(done.status).toBe('completed');
    const sequences = async (): Promise<number[]> => {
      const { body: timeline } = await get(`/api/v1/wounds/${before.id ?? before.woundRef}/timeline`);
      return timeline.assessments.map(({ sequence }: { sequence: number }) => sequence);
    };
    await eventually('the photo stands in the series', async () => (await sequences()).length === 3);
    expect(await sequences()).toEqual([1, 2, 3]);
    expect((await get(new URL(done.links.report).pathname)).status).toBe(200);
  });

  describe('beside a newer release, which wrote one of its reports and results', () => {
    const subject = { patientId: 'MRN-0200', patientSystem: 'urn:oid:2.999.1', woundId: 'W-0200' };
    let wound: string;
    let report: string;
    let job: string;
    const write = async (contentVersion: number, schemaVersion: string): Promise<void> => {
      await queryDatabase(database.url, 'update report_versions set content_version = $2 where report_id = $1', [
        report,
        contentVersion,
      ]);
      await queryDatabase(
        database.url,
        `update analysis_jobs set result = jsonb_set(result::jsonb, '{schemaVersion}', to_jsonb($2::text)) where id = $1`,
        [job, schemaVersion],
      );
    };

    beforeAll(async () => {
      wound = (await get(`/api/v1/wounds?patientId=${subject.patientId}`)).body.items[0].id;
      const [first] = (await get(`/api/v1/wounds/${wound}/timeline`)).body.assessments;
      [report, job] = [first.reportId, first.jobId];
      await write(99, '9.0');
    });
    afterAll(async () => {
      await write(1, '1.0');
      expect([
        (await get(`/api/v1/reports/${report}`)).status,
        (await get(`/api/v1/analysis/jobs/${job}`)).status,
      ]).toEqual([200, 200]);
    });

    it('says so of them, and of the timeline that they stand in', async () => {
      for (const path of [
        `/api/v1/reports/${report}`,
        `/api/v1/reports/${report}/versions`,
        `/api/v1/analysis/jobs/${job}`,
        `/api/v1/wounds/${wound}/timeline`,
      ]) {
        const { status, body, headers } = await get(path);
        expect([path, status, body.code, headers.get('retry-after')]).toEqual([path, 503, 'data.newer_release', '30']);
      }
    });

    it('reads the reports of other wounds', async () => {
      expect((await get(expected.reviewed)).body).toMatchObject({ status: 'final', version: 2 });
    });

    it('analyses the wound’s next photo all the same', async () => {
      const { body: ticket } = await send('POST', `${gateway.baseUrl}/api/v1/images/upload-url`, { key, json: {} });
      expect(
        (
          await fetch(ticket.uploadUrl, {
            method: 'PUT',
            headers: ticket.headers,
            body: new Uint8Array(await drawWoundPhoto({ seed: 7 })),
          })
        ).status,
      ).toBe(200);
      const { body: made } = await send('POST', `${gateway.baseUrl}/api/v1/analysis/jobs`, {
        key,
        json: { imageId: ticket.imageId, subject },
      });
      expect((await get(`/api/v1/analysis/jobs/${made.id}`, { prefer: 'wait=30' })).body).toMatchObject({
        status: 'completed',
        result: { followUp: null },
      });
    });
  });
});
