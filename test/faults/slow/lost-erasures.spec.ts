import { ApiClient } from '../../support/api-client.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import { placesOf, placesOfWords } from '../../support/find-bytes.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

describe('a gateway that is killed while it erases a patient', () => {
  let base: Gateway;
  let steady: Gateway;
  beforeEach(async () => {
    base = await startGateway();
    steady = base;
  });
  afterEach(async () => {
    if (steady !== base) await steady?.stop();
    await base?.stop();
  });

  const start = (env: Record<string, string> = {}) =>
    startGateway({ databaseUrl: base.databaseUrl, dataDir: base.dataDir, env });

  it.each([
    ['before any row is gone', 'erase_rows'],
    ['when every row is gone, before that is committed', 'erase_rows_gone'],
    ['when the files are gone, before that is written down', 'erase_bytes_gone'],
  ])(
    '%s (%s): the next one ends it whole, and proves it once',
    async (_, point) => {
      const organizationId = await base.createOrganization('enterprise');
      const { key } = await base.createKey(organizationId);
      const photo = await drawWoundPhoto({ seed: 61 });
      const client = new ApiClient(base.baseUrl, key);
      const job = await client.analyse(photo, { subject: { patientId: 'GONE-4711' }, clinicalContext: 'of GONE-4711' });
      await client.request('GET', job.links.report, { headers: { accept: 'text/html' } });
      await eventually(
        'every event to be told',
        async () => (await queryDatabase(base.databaseUrl, 'select from outbox_events')).length === 0,
      );
      expect(await placesOfWords(['GONE-4711'], base)).not.toEqual([]);
      await base.kill();

      const doomed = await start({ SUTURA_FP: `${point}:kill` });
      const path = `/organizations/${organizationId}/patients/erase`;
      await expect(doomed.admin('POST', path, { environment: 'test', patient: 'GONE-4711' })).rejects.toThrow();
      expect((await doomed.process.exited).signal).toBe('SIGKILL');
      const [left] = await queryDatabase<{ state: string }>(base.databaseUrl, 'select state from patient_erasures');
      expect(left!.state).toBe(point === 'erase_bytes_gone' ? 'rows_erased' : 'asked');
      if (left!.state === 'asked') expect(await placesOf(photo, base)).not.toEqual([]);

      steady = await start();
      await eventually(
        'the erasure to be done',
        async () => (await queryDatabase(base.databaseUrl, `select from patient_erasures where state = 'done'`))[0],
        20_000,
      );
      expect(await placesOfWords(['GONE-4711'], base)).toEqual([]);
      expect(await placesOf(photo, base)).toEqual([]);
      const { body } = await steady.admin('GET', `/organizations/${organizationId}/erasures`);
      expect(body.items).toEqual([
        expect.objectContaining({
          state: 'done',
          counts: expect.arrayContaining([{ what: 'photos', rows: 1, bytes: photo.length }]) as unknown,
        }),
      ]);
      const ends = await queryDatabase(
        base.databaseUrl,
        `select from audit_events where interaction = '$erase' and query like '%state=done%'`,
      );
      expect(ends).toHaveLength(1);
    },
    150_000,
  );
});
