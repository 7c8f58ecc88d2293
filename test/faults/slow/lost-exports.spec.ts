import { readdir } from 'node:fs/promises';
import { BulkClient, statusUrlOf, type Manifest } from '../../support/bulk-export.js';
import { ApiClient, expectStatus } from '../../support/api-client.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import { startGateway, type Gateway } from '../../support/gateway.js';

const FHIR = { 'content-type': 'application/fhir+json' };

describe('a gateway that is killed while it writes a bulk export', () => {
  let base: Gateway;
  let next: Gateway | undefined;
  let key: string;
  beforeAll(async () => {
    base = await startGateway({ roles: 'api' });
    ({ key } = await base.createKey(await base.createOrganization()));
    const client = new ApiClient(base.baseUrl, key);
    for (const type of ['Patient', 'Organization', 'Practitioner'])
      for (const name of ['A', 'B'])
        expectStatus(
          201,
          await client.request('POST', `/fhir/${type}`, {
            json: { resourceType: type, name: type === 'Organization' ? name : [{ family: name }] },
            headers: FHIR,
          }),
        );
    await base.kill();
  });
  afterEach(() => next?.stop());
  afterAll(() => base?.stop());

  const start = (env: Record<string, string> = {}) =>
    startGateway({ roles: 'api', databaseUrl: base.databaseUrl, dataDir: base.dataDir, env });

  it.each([
    ['with a part in the store, before that is written down', 'export_part_put:kill:2', 1],
    ['behind a part that is written down', 'export_part_kept:kill:2', 2],
  ])('%s: the next one goes on there, and every resource is in it once', async (_, failpoint, kept) => {
    const doomed = await start({ SUTURA_FP: failpoint });
    const statusUrl = statusUrlOf(await new BulkClient(`${doomed.baseUrl}/fhir`, key).kickOff());
    expect((await doomed.process.exited).signal).toBe('SIGKILL');
    const id = statusUrl.split('/').at(-1)!;
    expect(await queryDatabase(base.databaseUrl, 'select from bulk_export_files where export = $1', [id])).toHaveLength(
      kept,
    );

    next = await start();
    const bulk = new BulkClient(`${next.baseUrl}/fhir`, key);
    const { done } = await bulk.poll(statusUrl.replace(doomed.baseUrl, next.baseUrl));
    const manifest = expectStatus(200, done).body as Manifest;
    expect(manifest.output.map(({ type, count }) => [type, count])).toEqual([
      ['Patient', 2],
      ['Organization', 2],
      ['Practitioner', 2],
    ]);
    const output = manifest.output.map((file) => ({ ...file, url: file.url.replace(doomed.baseUrl, next!.baseUrl) }));
    for (const [type, resources] of await bulk.resources({ ...manifest, output }))
      expect([type, new Set(resources.map((one) => one.id)).size]).toEqual([type, 2]);
  });

  it('after it was cancelled with a part in the store: nothing of it stays there', async () => {
    const doomed = await start({ SUTURA_FP: 'export_part_put:kill:2' });
    const statusUrl = statusUrlOf(await new BulkClient(`${doomed.baseUrl}/fhir`, key).kickOff());
    await doomed.process.exited;
    const id = statusUrl.split('/').at(-1)!;
    await queryDatabase(
      base.databaseUrl,
      `update bulk_exports set state = 'ended', reason = 'cancelled', wish = '{}' where id = $1`,
      [id],
    );
    next = await start();
    await eventually(
      'its files to be removed',
      async () =>
        (
          await queryDatabase(
            base.databaseUrl,
            'select from bulk_exports where id = $1 and files_removed_at is not null',
            [id],
          )
        ).length > 0,
    );
    expect(await objectsOf(id)).toEqual([]);
  });

  it('and one whose store is full: it waits, says so, and goes on once there is room', async () => {
    const full = await start({ SUTURA_FP: 'blob_write:enospc' });
    const asker = new BulkClient(`${full.baseUrl}/fhir`, key);
    const statusUrl = statusUrlOf(await asker.kickOff());
    await full.process.waitForEvent('fhir.export_interrupted', 15_000);
    expect((await asker.ask('GET', statusUrl)).status).toBe(202);
    await full.stop();
    next = await start();
    const { done } = await new BulkClient(`${next.baseUrl}/fhir`, key).poll(
      statusUrl.replace(full.baseUrl, next.baseUrl),
    );
    expect((done.body as Manifest).output.map(({ count }) => count)).toEqual([2, 2, 2]);
  });

  const objectsOf = async (id: string): Promise<string[]> => {
    return (await readdir(base.dataDir, { recursive: true })).filter(
      (path) => path.includes(id) && /\d$/.test(path.split(id)[1] ?? ''),
    );
  };
});
