import { execFileSync } from 'node:child_process';
import { readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { ALERTS } from '../../deployment/prometheus.js';
import { WebhookReceiver } from '../../peers/webhook-receiver.js';
import { expectStatus, type ApiClient } from '../../support/api-client.js';
import { runCommand } from '../../support/command-line.js';
import { queryDatabase, withQuery } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { Hl7Hospital, orderMessage } from '../../support/hl7-hospital.js';
import { makeTlsIdentity } from '../../support/tls-identity.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';
import { AlarmTrials, PATIENCE_MS, promtool } from '../alarm-trials.js';

const ENV = { SUTURA_DELIVERY_NETWORKS: '127.0.0.0/8', SUTURA_DATABASE_POOL: '2' };
const [MINUTE_S, HOUR_S, DAY_S] = [60, 3600, 86_400];
const SUBJECT = { patientId: 'MRN-1', woundId: 'W1' };

describe('more of the shipped alarms, over what a real gateway shows when something is really wrong with it', () => {
  let [base, gateway]: [Gateway, Gateway] = [] as never;
  const trials = new AlarmTrials(() => gateway.baseUrl);
  const receivers: WebhookReceiver[] = [];
  let aheadS = 0;

  beforeAll(async () => {
    gateway = base = await startGateway({ env: ENV });
  }, PATIENCE_MS);
  afterAll(async () => {
    for (const receiver of receivers) await receiver.stop();
    if (gateway !== base) await gateway.stop();
    await base?.kill();
    await base?.stop();
  }, PATIENCE_MS);

  const query = <T = object>(sql: string, values: unknown[] = []) =>
    queryDatabase<T & object>(base.databaseUrl, sql, values);
  /** The clock of the database jumps ahead. */
  const letPass = async (seconds: number): Promise<void> => {
    aheadS += seconds;
    await query(
      `create or replace function sutura_now() returns timestamptz language sql volatile as 'select clock_timestamp() + interval ''${aheadS} seconds'''`,
    );
  };
  const times = async (count: number, act: (time: number) => Promise<unknown>): Promise<void> => {
    for (let time = 0; time < count; time += 1) await act(time);
  };
  const receiver = async (status: number): Promise<WebhookReceiver> => {
    const made = await WebhookReceiver.start();
    receivers.push(made);
    made.reply = status;
    return made;
  };
  const again = async (roles: 'api,worker,hl7' | 'api,hl7'): Promise<void> => {
    await gateway.kill();
    gateway = await startGateway({ databaseUrl: base.databaseUrl, dataDir: base.dataDir, env: ENV, roles });
  };

  it(
    'the last back-up is of three days ago',
    async () => {
      const file = join(gateway.dataDir, 'last-backup');
      await writeFile(file, '');
      await trials.shows(/^sutura_backup_age_seconds \d/m);
      await trials.record(['SuturaBackupOld'], async () => {
        const then = Date.now() / 1000 - 3 * DAY_S;
        await utimes(file, then, then);
        // Half an hour, for which the rule waits.
        return Array<string>(8).fill(await trials.shows(/^sutura_backup_age_seconds 2\d{5}/m));
      });
    },
    PATIENCE_MS,
  );

  it(
    'the process stands still for two seconds at a time',
    async () => {
      await trials.record(['SuturaEventLoopBlocked'], async () => {
        await trials.scrape();
        gateway.process.signal('SIGSTOP');
        const end = performance.now() + 2000;
        await eventually('two seconds', () => performance.now() > end);
        gateway.process.signal('SIGCONT');
        return [await trials.scrape()];
      });
    },
    PATIENCE_MS,
  );

  it(
    'a table is locked, and all connections wait for it',
    async () => {
      const client = await gateway.createClient();
      expectStatus(200, await client.request('GET', '/api/v1/wounds'));
      await trials.record(['SuturaDatabasePoolUsedUp'], () =>
        withQuery(base.databaseUrl, async (locking) => {
          await locking('begin');
          await locking('lock table wounds in access exclusive mode');
          const refused = Promise.all(Array.from({ length: 8 }, () => client.request('GET', '/api/v1/wounds')));
          const waiting = await trials.shows(/^sutura_database_pool_waiting\{pool="tenant"\} [1-9]/m);
          await locking('rollback');
          await refused;
          return [waiting];
        }),
      );
    },
    PATIENCE_MS,
  );

  it(
    'certificates end within ten days and within a day, and senders do not speak TLS',
    async () => {
      const organizationId = await gateway.createOrganization();
      const listener = async (name: string, days: number): Promise<void> => {
        const identity = makeTlsIdentity(['localhost'], days);
        const files = { certFile: join(gateway.dataDir, `${name}.pem`), keyFile: join(gateway.dataDir, `${name}.key`) };
        await writeFile(files.certFile, identity.cert);
        await writeFile(files.keyFile, identity.key);
        const settings = { port: 0, tls: files };
        const json = { organizationId, environment: 'test', name, settings };
        expectStatus(201, await gateway.admin('POST', '/hl7/listeners', json));
      };
      await trials.record(['SuturaCertificateEndsSoon', 'SuturaCertificateEnds', 'SuturaTlsRefused'], async () => {
        await listener('soon', 10);
        await listener('now', 1);
        const { port } = await eventually('a port', () =>
          gateway.events('hl7.listening').find(({ tls }) => tls === true),
        );
        await times(8, () => speakPlainly(Number(port)));
        await trials.shows(/^sutura_hl7_listener_certificate_days\{.*\} 0$/m);
        await trials.shows(/^sutura_hl7_listener_certificate_days\{.*\} 9$/m);
        // An hour, for which the first of the rules waits.
        const shown = await trials.shows(/^sutura_hl7_connection_events_total\{event="tls-failed"\} [8-9]/m);
        return Array<string>(16).fill(shown);
      });
    },
    PATIENCE_MS,
  );

  it(
    'a receiver refuses a result, nobody decides who a patient is, and a feed falls silent',
    async () => {
      const hospital = await Hl7Hospital.open(gateway, { normalSilenceMinutes: 60 });
      await trials.record(['SuturaResultsParked', 'SuturaHeldTooLong', 'SuturaListenerSilent'], async () => {
        hospital.receiver.mode = 'reject';
        hospital.receiver.refusal = { condition: '103' };
        expect(await hospital.send(orderMessage({ order: 'O-1', photo: await drawWoundPhoto({ seed: 3 }) }))).toContain(
          'MSA|AA',
        );
        const other = orderMessage({ order: 'O-2', photo: await drawWoundPhoto({ seed: 4 }) })
          .replace('Beispiel^Änna', 'Muster^Zoë')
          .replace('19510714', '19680101');
        expect(await hospital.send(other)).toContain('patient.conflict');
        await trials.shows(/^sutura_hl7_outbound_messages\{.*parked.*\} [1-9]/m);
        await letPass(2 * DAY_S);
        await trials.shows(/^sutura_held_oldest_seconds\{.*\} 1[67]\d{4}/m);
        return [await trials.shows(/^sutura_hl7_listener_silence_seconds\{.*\} 1[67]\d{4}/m)];
      });
      await hospital.close();
    },
    PATIENCE_MS,
  );

  it(
    'a person puts deliveries aside, and Subscriptions have receivers that do not answer or are gone',
    async () => {
      const client = await gateway.createClient();
      const [gone, ill] = [await receiver(410), await receiver(503)];
      const subscribe = (endpoint: string) =>
        client.request('POST', '/fhir/Subscription', {
          json: {
            resourceType: 'Subscription',
            status: 'requested',
            reason: 'Reports',
            criteria: 'DiagnosticReport?status=preliminary,final',
            channel: { type: 'rest-hook', endpoint },
          },
        });
      await trials.record(
        [
          'SuturaEventsParked',
          'SuturaNotificationsParked',
          'SuturaNotificationsUndelivered',
          'SuturaSubscriptionDisabled',
        ],
        async () => {
          expectStatus(201, await client.request('POST', '/api/v1/webhooks', { json: { url: ill.url } }));
          for (const { url } of [gone, ill, ill]) expectStatus(201, await subscribe(url));
          await client.analyse(await drawWoundPhoto({ seed: 5 }), { subject: SUBJECT });
          await trials.shows(/^sutura_subscription_disabled\{.*\} 1$/m);
          await trials.shows(/^sutura_subscription_deliveries\{.*waiting.*\} [1-9]/m);
          await parkOne('webhook_deliveries');
          await parkOne('fhir_subscription_deliveries');
          await letPass(2 * HOUR_S);
          await trials.shows(/^sutura_webhook_deliveries\{.*parked.*\} [1-9]/m);
          await trials.shows(/^sutura_subscription_deliveries\{.*parked.*\} [1-9]/m);
          return [await trials.shows(/^sutura_subscription_oldest_seconds\{.*\} [67]\d{3}/m)];
        },
      );
    },
    2 * PATIENCE_MS,
  );

  /** Of the receiver that does not answer, while it waits for its next attempt. */
  async function parkOne(table: string): Promise<void> {
    await eventually(`one of ${table} is parked`, async () => {
      const [waiting] = await query<{ id: string }>(
        `select id from ${table} where state = 'waiting' and attempts > 0 order by id limit 1`,
      );
      return waiting !== undefined && (await gateway.admin('POST', `/deliveries/${waiting.id}/park`)).status < 300;
    });
  }

  it(
    'inference processes are killed, again and again',
    async () => {
      const restarts = (text: string): number =>
        [...text.matchAll(/^sutura_inference_child_restarts_total\{.*\} (\d+)$/gm)].reduce(
          (sum, [, count]) => sum + Number(count),
          0,
        );
      await trials.record(['SuturaInferenceProcessesEnd'], async () => {
        await times(7, async () => {
          const before = restarts(await trials.scrape());
          const [child] = await eventually('a process to kill', () => childrenOf(gateway.process.pid));
          process.kill(child!, 'SIGKILL');
          await eventually('it is replaced', async () => restarts(await trials.scrape()) > before);
        });
        return [await trials.scrape()];
      });
    },
    PATIENCE_MS,
  );

  it(
    'photos are taken away before they are analysed',
    async () => {
      const client = await gateway.createClient();
      await trials.record(['SuturaAnalysesFail'], async () => {
        await times(6, async (seed) => {
          const imageId = await client.uploadPhoto(await drawWoundPhoto({ seed: 20 + seed }));
          await removeObjectsOf(imageId);
          await client.waitForJob((await client.startJob({ imageId })).id);
        });
        return [await trials.scrape()];
      });
    },
    PATIENCE_MS,
  );

  async function removeObjectsOf(imageId: string): Promise<void> {
    const folder = join(base.dataDir, 'objects');
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && `${entry.parentPath}/${entry.name}`.includes(imageId));
    expect(files.length).toBeGreaterThan(0);
    for (const entry of files) await rm(join(entry.parentPath, entry.name));
  }

  it(
    'reports cannot be written',
    async () => {
      const client = await gateway.createClient();
      await trials.record(['SuturaEventsStuck'], async () => {
        await query('revoke insert on report_versions from sutura_app, sutura_system');
        await client.analyse(await drawWoundPhoto({ seed: 7 }), { subject: SUBJECT });
        await letPass(20 * MINUTE_S);
        const shown = await trials.shows(/^sutura_outbox_oldest_seconds\{.*\} 1[2-9]\d\d/m);
        await query('grant insert on report_versions to sutura_app, sutura_system');
        return [shown];
      });
    },
    PATIENCE_MS,
  );

  it(
    'the store takes no archive of the audit trail',
    async () => {
      const organizationId = await gateway.createOrganization('enterprise');
      await trials.record(['SuturaAuditArchivesFail'], async () => {
        await query(
          `insert into audit_events (organization_id, environment, recorded_at, door, interaction, action, key_id, resources)
             values ($1, 'test', now() - interval '800 days', 'fhir', 'read', 'R', 'old', '{}')`,
          [organizationId],
        );
        const surroundings = { DATABASE_URL: base.databaseUrl, SUTURA_DATA_DIR: base.dataDir };
        expect((await runCommand(['audit', 'verify', '--json'], surroundings)).code).toBe(0);
        await query('insert into retention_policies (organization_id, audit_days) values ($1, 730)', [organizationId]);
        // Where the folder of the archives would be made.
        await writeFile(join(base.dataDir, 'objects', 'audit-archives'), '');
        // The sweep of a start.
        await again('api,worker,hl7');
        // An hour, for which the rule waits.
        return Array<string>(16).fill(await trials.shows(/^sutura_audit_archives_failing 1$/m));
      });
      await rm(join(base.dataDir, 'objects', 'audit-archives'));
    },
    PATIENCE_MS,
  );

  it(
    'the process ends and starts again, four times; then none analyses, and photos come',
    async () => {
      await trials.record(['SuturaRestarts'], async () => {
        const moments: string[] = [];
        await times(4, async () => {
          await again('api,worker,hl7');
          moments.push(await trials.scrape());
        });
        return moments;
      });
      await again('api,hl7');
      await trials.shows(/^sutura_jobs\{status="queued"\} 0$/m);
      const client: ApiClient = await gateway.createClient();
      const imageId = await client.uploadPhoto(await drawWoundPhoto({ width: 128, height: 96 }));
      let queued = 0;
      const queue = (count: number) =>
        times(count, () => client.startJob({ imageId, subject: { ...SUBJECT, woundId: `W${(queued += 1)}` } }));
      await trials.record(['SuturaBacklogGrows', 'SuturaAnalysesWait'], async () => {
        const moments: string[] = [];
        await queue(50);
        await times(14, async (time) => {
          await queue(2);
          moments.push(await trials.shows(new RegExp(`^sutura_jobs\\{status="queued"\\} ${52 + 2 * time}$`, 'm')));
        });
        await letPass(HOUR_S);
        return [...moments, await trials.shows(/^sutura_oldest_unfinished_job_seconds 3[67]\d\d/m)];
      });
    },
    3 * PATIENCE_MS,
  );

  (promtool === undefined ? it.skip : it)(
    'fire, each of them, and none before its fault',
    async () => {
      expect(trials.tried.filter((alert) => !ALERTS.some((known) => known.alert === alert))).toEqual([]);
      expect(trials.count).toBe(12);
      expect(await trials.judge()).toContain('SUCCESS');
    },
    3 * PATIENCE_MS,
  );
});

/** A connection that says what TLS does not know, until it is closed. */
function speakPlainly(port: number): Promise<void> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => socket.end('MSH|^~\\&|EHR\r'));
    socket.on('error', () => undefined).on('close', () => done());
    socket.resume();
  });
}

function childrenOf(pid: number): number[] | undefined {
  try {
    return execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number);
  } catch {
    return undefined;
  }
}
