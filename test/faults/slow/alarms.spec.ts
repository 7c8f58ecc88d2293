import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { ALERTS } from '../../deployment/prometheus.js';
import { AlarmTrials, PATIENCE_MS, promtool } from '../alarm-trials.js';
import { WebhookReceiver } from '../../peers/webhook-receiver.js';
import { ApiClient, expectStatus } from '../../support/api-client.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import { ALL_SCOPES, startGateway, type Gateway } from '../../support/gateway.js';
import { Hl7Hospital, orderMessage } from '../../support/hl7-hospital.js';
import { OwnRedis } from '../../support/own-redis.js';
import { startPostgresServer, type PostgresServer } from '../../support/postgres-server.mjs';
import { drawWoundPhoto } from '../../support/wound-photo.js';

describe('the shipped alarms, over what a real gateway shows when something is really wrong with it', () => {
  let [postgres, redis, gateway]: [PostgresServer, OwnRedis, Gateway] = [] as never;
  let busy: Server;
  const receivers: WebhookReceiver[] = [];
  const trials = new AlarmTrials(() => gateway.baseUrl);

  beforeAll(async () => {
    postgres = await startPostgresServer();
    redis = await OwnRedis.start();
    busy = createServer().listen(0, '127.0.0.1');
    const env = {
      REDIS_URL: redis.url,
      SUTURA_DELIVERY_NETWORKS: '127.0.0.0/8',
      SUTURA_ENCRYPTION: 'on',
      SUTURA_ENCRYPTION_KEY_COMMAND: `echo first ${Buffer.alloc(32, 7).toString('base64')}`,
    };
    gateway = await startGateway({ databaseUrl: postgres.url, env });
  }, PATIENCE_MS);
  afterAll(async () => {
    busy?.close();
    for (const receiver of receivers) await receiver.stop();
    await gateway?.kill();
    await gateway?.stop();
    await redis?.stop();
    await postgres?.stop();
  }, PATIENCE_MS);

  const query = (sql: string, values: unknown[] = []) => queryDatabase<{ id: string }>(postgres.url, sql, values);
  const scrape = () => trials.scrape();
  const shows = (line: RegExp) => trials.shows(line);
  const recorded = (alerts: readonly string[], moments: () => Promise<readonly (string | null)[]>) =>
    trials.record(alerts, moments);

  const newClient = async (environment: 'test' | 'live' = 'test'): Promise<[ApiClient, string]> => {
    const organizationId = await gateway.createOrganization();
    const { key } = await gateway.createKey(organizationId, environment, ALL_SCOPES);
    return [new ApiClient(gateway.baseUrl, key), organizationId];
  };
  const read = (key: string | null) => new ApiClient(gateway.baseUrl, key!).request('GET', '/api/v1/wounds');
  const times = async (count: number, act: () => Promise<unknown>): Promise<void> => {
    for (let time = 0; time < count; time += 1) await act();
  };

  it(
    'somebody tries keys that there are not, and a system goes on with one that was revoked',
    async () => {
      const { keyId, key } = await gateway.createKey(await gateway.createOrganization());
      expectStatus(204, await gateway.admin('DELETE', `/keys/${keyId}`));
      await recorded(['SuturaFailedLogins', 'SuturaEndedKeyUsed'], async () => {
        await times(130, () => read('sut_test_0000000000000000000000000000000000000a'));
        await eventually('the key is refused', async () => (await read(key)).body.code === 'auth.revoked');
        await times(8, () => read(key));
        return [await scrape()];
      });
    },
    PATIENCE_MS,
  );

  it(
    'an organization uses its day up',
    async () => {
      const [client, organizationId] = await newClient();
      expectStatus(200, await gateway.admin('PATCH', `/organizations/${organizationId}`, { dailyLimit: 5 }));
      const imageId = await client.uploadPhoto(await drawWoundPhoto({ width: 128, height: 96 }));
      const start = () => client.createJob({ imageId, subject: { patientId: 'MRN-1', woundId: 'W1' } });
      const used = (ratio: string) => new RegExp(`^sutura_quota_used_ratio\\{.*${organizationId}.*\\} ${ratio}$`, 'm');
      await recorded(['SuturaQuotaNearlyUsedUp', 'SuturaQuotaUsedUp'], async () => {
        await times(4, start);
        const nearly = await shows(used('0\\.8'));
        await times(6, start);
        // Ten minutes at four of five.
        return [nearly, nearly, nearly, nearly, await scrape()];
      });
    },
    PATIENCE_MS,
  );

  it(
    'accesses cannot be written down',
    async () => {
      const [client] = await newClient();
      await recorded(['SuturaAuditNotWritten', 'SuturaRequestsFail'], async () => {
        await query('revoke insert on audit_events from sutura_app, sutura_system');
        const moments: string[] = [];
        for (let moment = 0; moment < 4; moment += 1) {
          await times(25, () => client.request('GET', '/api/v1/wounds'));
          moments.push(await scrape());
        }
        await query('grant insert on audit_events to sutura_app, sutura_system');
        return moments;
      });
    },
    PATIENCE_MS,
  );

  it(
    'a row of the audit trail is removed',
    async () => {
      const [client] = await newClient();
      await recorded(['SuturaAuditChainBroken'], async () => {
        expectStatus(200, await client.request('GET', '/api/v1/wounds'));
        await query('delete from audit_events where id = (select max(id) from audit_events)');
        return [await shows(/^sutura_audit_chain_breaks [1-9]/m)];
      });
    },
    PATIENCE_MS,
  );

  it(
    'objects are altered on the disk',
    async () => {
      const [client] = await newClient();
      const job = await client.analyse(await drawWoundPhoto(), { subject: { patientId: 'MRN-1', woundId: 'W1' } });
      await recorded(['SuturaObjectsUnreadable'], async () => {
        const folder = join(gateway.dataDir, 'objects');
        for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
          if (!entry.isFile()) continue;
          const file = join(entry.parentPath, entry.name);
          const bytes = await readFile(file);
          bytes[bytes.length - 1]! ^= 1;
          await writeFile(file, bytes);
        }
        await client.request('GET', `/api/v1/analysis/jobs/${job.id}/artifacts/overlay`);
        return [await shows(/^sutura_storage_unreadable_total\{.*\} [1-9]/m)];
      });
    },
    PATIENCE_MS,
  );

  it(
    'the port of a listener is taken, and a sender’s messages are not understood',
    async () => {
      await recorded(['SuturaListenerDown', 'SuturaMessagesFail'], async () => {
        const hospital = await Hl7Hospital.open(gateway);
        for (let order = 0; order < 8; order += 1)
          await hospital.send(orderMessage({ order: `BAD-${order}`, photo: Buffer.from('no photo at all') }));
        await hospital.close();
        const taken = await Hl7Hospital.open(gateway, { port: (busy.address() as AddressInfo).port });
        const shown = await shows(/^sutura_hl7_listener_served\{.*\} 0$/m);
        await taken.close();
        return [shown];
      });
    },
    PATIENCE_MS,
  );

  it(
    'receivers want nothing more, do not answer, or are gone',
    async () => {
      const [client] = await newClient();
      const [gone, ill] = [await WebhookReceiver.start(), await WebhookReceiver.start()];
      receivers.push(gone, ill);
      [gone.reply, ill.reply] = [410, 503];
      const hospital = await Hl7Hospital.open(gateway);
      // Its listener stays.
      await hospital.receiver.stop();
      await recorded(['SuturaWebhookDisabled', 'SuturaEventsUndelivered', 'SuturaResultsUndelivered'], async () => {
        for (const { url } of [gone, ill])
          expectStatus(201, await client.request('POST', '/api/v1/webhooks', { json: { url } }));
        await client.analyse(await drawWoundPhoto({ seed: 3 }), { subject: { patientId: 'MRN-1', woundId: 'W1' } });
        await hospital.send(orderMessage({ order: 'O-1', photo: await drawWoundPhoto({ seed: 4 }) }));
        await shows(/^sutura_webhook_disabled\{.*\} 1$/m);
        await shows(/^sutura_hl7_outbound_messages\{.*waiting.*\} [1-9]/m);
        // The clock of the database jumps ahead: what waits has waited for two hours.
        await query(
          `create or replace function sutura_now() returns timestamptz language sql volatile as 'select clock_timestamp() + interval ''2 hours'''`,
        );
        await shows(/^sutura_hl7_outbound_oldest_seconds\{.*\} [67]\d{3}/m);
        return [await shows(/^sutura_webhook_oldest_seconds\{.*\} [67]\d{3}/m)];
      });
    },
    2 * PATIENCE_MS,
  );

  it(
    'Redis goes, then the database, then the process',
    async () => {
      await recorded(['SuturaQueueDispatchLost'], async () => {
        await redis.stop();
        return [await shows(/^sutura_redis_connected 0$/m)];
      });
      await recorded(['SuturaNotReady'], async () => {
        await postgres.crash();
        const missed = await shows(/^sutura_ready\{.*database.*\} 0$/m);
        await postgres.startAgain();
        return [missed];
      });
      await recorded(['SuturaProcessDown'], async () => {
        await gateway.kill();
        return [await scrape().catch(() => null)];
      });
    },
    PATIENCE_MS,
  );

  (promtool === undefined ? it.skip : it)(
    'fire, each of them',
    async () => {
      expect(trials.tried.filter((alert) => !ALERTS.some((known) => known.alert === alert))).toEqual([]);
      expect(trials.count).toBe(10);
      expect(await trials.judge()).toContain('SUCCESS');
    },
    3 * PATIENCE_MS,
  );
});
