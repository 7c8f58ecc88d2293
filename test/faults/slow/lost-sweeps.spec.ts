import { ApiClient, expectStatus } from '../../support/api-client.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import { placesOf } from '../../support/find-bytes.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

const PHOTOS = 5;
/** More than a sweep removes in one transaction. */
const MESSAGES = 120;
/** A run whose process is gone is ended once nothing was added to it for this long. */
const IDLE = `update retention_runs set ended_at = ended_at - interval '11 minutes' where is_open`;

describe('a gateway that is killed while it removes what is too old', () => {
  let base: Gateway;
  let steady: Gateway;
  let organizationId: string;
  beforeEach(async () => {
    base = await startGateway({ roles: 'api' });
    steady = base;
    organizationId = await base.createOrganization('enterprise');
  });
  afterEach(async () => {
    if (steady !== base) await steady?.stop();
    await base?.stop();
  });

  const query = <Row extends object = Record<string, unknown>>(sql: string, values: unknown[] = []) =>
    queryDatabase<Row>(base.databaseUrl, sql, values);
  const start = (env: Record<string, string> = {}) =>
    startGateway({ roles: 'api', databaseUrl: base.databaseUrl, dataDir: base.dataDir, env });
  const keep = async (change: object) =>
    expectStatus(200, await base.admin('PATCH', `/organizations/${organizationId}/retention`, change));
  const runs = async (of: Gateway) =>
    expectStatus(200, await of.admin('GET', `/organizations/${organizationId}/retention`)).body.runs as {
      readonly rows: number;
      readonly bytes: number;
      readonly isOpen: boolean;
    }[];
  /** Its figures, as the sealed rows of the trail have them. */
  const proven = async () =>
    (
      await query<{ query: string }>(
        `select event.query from audit_events event join audit_seals seal on event.id = any (seal.event_ids) and seal.organization_id = event.organization_id
          where event.organization_id = $1 and event.interaction = '$retention' and event.query like 'run=%' order by event.id`,
        [organizationId],
      )
    ).map(({ query: text }) => Number(new URLSearchParams(text).get('rows')));
  /** Killed at the n-th addition to its run, before that is committed. */
  const killAt = async (n: number) => {
    await base.kill();
    const doomed = await start({ SUTURA_FP: `sweep_counted:kill:${n}` });
    expect((await doomed.process.exited).signal).toBe('SIGKILL');
    steady = await start();
  };

  it('of photos: each that went is counted, none is forgotten, and both sweeps are proven', async () => {
    const { key } = await base.createKey(organizationId);
    const client = new ApiClient(base.baseUrl, key);
    const photos = await Promise.all(Array.from({ length: PHOTOS }, (_, seed) => drawWoundPhoto({ seed: 70 + seed })));
    for (const photo of photos) await client.uploadPhoto(photo);
    await query(`update images set stored_at = now() - interval '3 years'`);
    await keep({ photoDays: 365 });
    await killAt(3);
    const sizeOf = (some: readonly Buffer[]) => some.reduce((sum, { length }) => sum + length, 0);
    const left = await query<{ id: string }>(`select id from images where status = 'stored'`);
    expect(left.length + 2).toBe(PHOTOS);
    expect(await runs(steady)).toEqual([expect.objectContaining({ rows: 2, isOpen: true })]);

    await eventually(
      'the others to go',
      async () => (await query(`select from images where status = 'stored'`)).length === 0,
    );
    for (const photo of photos) expect(await placesOf(photo, base)).toEqual([]);
    await eventually('the second run to end', async () => (await proven()).length === 1);
    await query(IDLE);
    await steady.kill();
    steady = await start();
    await eventually('the first run to be ended', async () => (await proven()).length === 2);
    const both = await runs(steady);
    expect(both.map(({ rows, isOpen }) => [rows, isOpen])).toEqual([
      [3, false],
      [2, false],
    ]);
    expect(both.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(sizeOf(photos));
    expect((await proven()).toSorted()).toEqual([2, 3]);
    const each = await query(
      `select from audit_events where organization_id = $1 and interaction = 'delete' and resources::text like '%Media/%'`,
      [organizationId],
    );
    expect(each).toHaveLength(PHOTOS);
  }, 150_000);

  it('of messages: what went is counted in the transaction in which it goes', async () => {
    await query(
      `insert into hl7_inbound (id, organization_id, environment, source_id, transport, received_at, key_id, address, sending_application, sending_facility,
          control_id, message_type, version, holds_key, sha256, raw, size_bytes, state, lease_until, application_ack, terms, analysis_ids)
        select gen_random_uuid(), $1, 'test', gen_random_uuid(), 'mllp', now() - interval '2 years', 'k', '', '', '', n::text, 'ORM^O01', '2.5.1', false,
          '\\x00', '\\x00', 10, 'processed', now(), 'never', '{}', '{}' from generate_series(1, $2::int) n`,
      [organizationId, MESSAGES],
    );
    await keep({ messageDays: 365 });
    await killAt(2);
    expect(await runs(steady)).toEqual([expect.objectContaining({ rows: 50, bytes: 500, isOpen: true })]);

    await eventually('the others to go', async () => (await query('select from hl7_inbound')).length === 0);
    await eventually('the second run to end', async () => (await proven()).length === 1);
    await query(IDLE);
    await steady.kill();
    steady = await start();
    await eventually('the first run to be ended', async () => (await proven()).length === 2);
    expect((await proven()).toSorted()).toEqual([50, 70]);
    expect((await runs(steady)).map(({ rows, isOpen }) => [rows, isOpen])).toEqual([
      [70, false],
      [50, false],
    ]);
  }, 150_000);
});
