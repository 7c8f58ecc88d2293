import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { v7 } from 'uuid';
import { EhrReceiver } from '../../peers/mllp-receiver.js';
import { WebhookReceiver } from '../../peers/webhook-receiver.js';
import { expectStatus } from '../../support/api-client.js';
import { describeInBrowser } from '../../support/browser.js';
import { ConsoleGround } from '../../support/console-ground.js';
import { queryDatabase } from '../../support/database-query.js';
import { failedJob } from '../../support/failed-job.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { orderMessage, type Hl7Hospital } from '../../support/hl7-hospital.js';
import { makeTlsIdentity } from '../../support/tls-identity.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

/** From the first try or probe that failed. What a process reports of itself is five seconds old, and the page reads every five. */
const WITHIN_MS = 30_000;
const DAY_S = 86_400;
const ALL_IS_WELL = 'Nothing. Every part was asked and answered';

interface Fault {
  readonly name: string;
  /** Ends once it is there. */
  induce(of: FaultsGround): Promise<unknown>;
  readonly title: 'Broken' | 'Waits for a person';
  /** What an installation admin reads, and whoever may see it. */
  readonly words: RegExp;
  /** What a viewer reads instead, where it is not for a viewer. */
  readonly unseen?: RegExp;
}

const NOT_YOURS = /Not shown to you: disks, back-ups, .* and the audit trail/;

/** A receiver that is down, and a database that takes no writes, are in console-now.spec.ts. */
const FAULTS: readonly Fault[] = [
  {
    name: 'a receiver that refuses',
    induce: (of) => of.receiveAs('strict EHR', 'error'),
    title: 'Broken',
    words: /Destination strict EHR refuses what is sent to it \(CE\)/,
  },
  {
    name: 'a receiver that is silent',
    induce: (of) => of.receiveAs('mute EHR', 'silent'),
    title: 'Broken',
    words: /Destination mute EHR gives no answer \(timeout/,
  },
  {
    name: 'a listener whose port another program has',
    induce: (of) => of.occupyPort(),
    title: 'Broken',
    words: /Listener second ward is not served: another program has its port/,
  },
  {
    name: 'a certificate that ends',
    induce: (of) => of.listenWithCertificate(10),
    title: 'Waits for a person',
    words: /The certificate of listener third ward ends in 9 days/,
  },
  {
    name: 'a webhook that is disabled, since it is gone',
    induce: (of) => of.haveWebhookGone(),
    title: 'Broken',
    words: /Webhook .* is disabled, as it answered 410 Gone/,
  },
  {
    name: 'held items',
    induce: (of) => of.meetAnotherPerson(),
    title: 'Waits for a person',
    words: /1 thing waits for a person: identity conflict/,
  },
  {
    name: 'failed analyses',
    induce: (of) => failedJob(of.hospital.client, of.gateway.databaseUrl),
    title: 'Waits for a person',
    words: /1 analysis of the last 24 hours failed: processing\.timeout/,
    unseen: /not shown either: .*failed analyses/,
  },
  {
    name: 'a back-up that is three days old',
    induce: (of) => of.ageBackup(),
    title: 'Broken',
    words: /The last back-up is 7[12] hours old/,
    unseen: NOT_YOURS,
  },
  {
    name: 'an audit trail that is not sealed',
    induce: (of) => of.reportUnsealed(),
    title: 'Broken',
    words: /The audit trail is not sealed: entries can be changed without a trace/,
    unseen: NOT_YOURS,
  },
  // Nothing is analysed after these two.
  {
    name: 'a queue that is stuck',
    induce: (of) => of.stickQueue(),
    title: 'Broken',
    words: /Analyses are not worked off/,
  },
  {
    name: 'a quota that is used up',
    induce: (of) => of.useUpQuota(),
    title: 'Broken',
    words: /All \d+ analyses of today are used: photos are refused or wait until 00:00 UTC/,
  },
];

/** Of a second process, whose disk is full and whose model is missing, until it is killed. */
const OF_A_PROCESS: readonly Fault[] = [
  {
    name: 'a disk without room',
    induce: (of) => of.startIllWorker(),
    title: 'Broken',
    words: /The disk of the data folder on .* has .* left: photos and messages are refused/,
    unseen: NOT_YOURS,
  },
  {
    name: 'a model that is missing',
    induce: () => Promise.resolve(),
    title: 'Waits for a person',
    words: /1 of 2 worker processes have no model that is ready/,
  },
  {
    name: 'a worker that died',
    induce: (of) => of.killWorker(),
    title: 'Waits for a person',
    words: /1 worker process has stopped reporting; 1 still work/,
  },
];

/** The gateway of a console, and all that can go wrong with it. */
class FaultsGround {
  private readonly ends: (() => unknown)[] = [];
  private worker: Gateway | undefined;

  constructor(
    private readonly ground: ConsoleGround,
    readonly hospital: Hl7Hospital,
  ) {}

  get gateway(): Gateway {
    return this.ground.gateway;
  }

  private query(sql: string, values: unknown[] = []): Promise<object[]> {
    return queryDatabase(this.gateway.databaseUrl, sql, values);
  }

  private async connection(table: 'hl7_listeners' | 'hl7_destinations', name: string, settings: object): Promise<void> {
    await this.query(
      `insert into ${table} (id, organization_id, environment, name, settings, created_at) values ($1, $2, 'test', $3, $4, now())`,
      [v7(), this.hospital.organizationId, name, settings],
    );
    await this.query('select pg_notify($1, $2)', ['sutura_hl7_changed', table]);
  }

  private async orderOne(order: string): Promise<void> {
    await this.hospital.send(orderMessage({ order, photo: await drawWoundPhoto(), mrn: 'N-1' }));
    await this.hospital.result(order);
  }

  async receiveAs(name: string, mode: 'error' | 'silent'): Promise<void> {
    const receiver = await EhrReceiver.start({ mode });
    this.ends.push(() => receiver.stop());
    await this.connection('hl7_destinations', name, { host: '127.0.0.1', port: receiver.port, ackTimeoutMs: 1000 });
    await this.orderOne(`N-${mode}`);
    await receiver.waitFor(1);
  }

  async occupyPort(): Promise<void> {
    const program = createServer();
    await new Promise<void>((listening) => program.listen(0, '127.0.0.1', listening));
    this.ends.push(() => program.close());
    const { port } = program.address() as { port: number };
    await this.connection('hl7_listeners', 'second ward', { port, timeZone: 'Europe/Berlin' });
  }

  async listenWithCertificate(days: number): Promise<void> {
    const { cert, key } = makeTlsIdentity(['localhost'], days);
    const folder = this.gateway.dataDir;
    const tls = { certFile: join(folder, 'third.pem'), keyFile: join(folder, 'third.key') };
    await writeFile(tls.certFile, cert);
    await writeFile(tls.keyFile, key);
    await this.connection('hl7_listeners', 'third ward', { port: 0, timeZone: 'Europe/Berlin', tls });
  }

  async haveWebhookGone(): Promise<void> {
    const receiver = await WebhookReceiver.start();
    this.ends.push(() => receiver.stop());
    receiver.reply = 410;
    const { client } = this.hospital;
    expectStatus(201, await client.request('POST', '/api/v1/webhooks', { json: { url: receiver.url } }));
    await client.analyse(await drawWoundPhoto(), { subject: { patientId: 'N-2', woundId: 'W1' } });
  }

  /** The inference process stands still, and what waits for it is older than anybody has to wait here. */
  async stickQueue(): Promise<void> {
    const pids = this.gateway.process.inferencePids();
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    const { client } = this.hospital;
    const imageId = await client.uploadPhoto(await drawWoundPhoto());
    const { id } = expectStatus(201, await client.createJob({ imageId })).body as { id: string };
    await this.query(`update analysis_jobs set created_at = created_at - interval '6 minutes' where id = $1`, [id]);
  }

  async meetAnotherPerson(): Promise<void> {
    const photo = await drawWoundPhoto();
    await this.hospital.send(orderMessage({ order: 'N-3', photo, mrn: 'N-3' }));
    const other = orderMessage({ order: 'N-4', photo, mrn: 'N-3', birthDate: '19990101' });
    await this.hospital.send(other.replace('Beispiel^Änna', 'Muster^Zoë'));
  }

  async useUpQuota(): Promise<void> {
    const used = `(select used from quota_usage where organization_id = organizations.id order by day desc limit 1)`;
    await this.query(`update organizations set daily_limit_override = ${used} where id = $1`, [
      this.hospital.organizationId,
    ]);
  }

  async ageBackup(): Promise<void> {
    const file = join(this.gateway.dataDir, 'last-backup');
    await writeFile(file, '');
    const then = Date.now() / 1000 - 3 * DAY_S;
    await utimes(file, then, then);
  }

  /** As every process reports it that has failed to seal for five minutes, which is no wait for a test. */
  async reportUnsealed(): Promise<void> {
    await this.query(`create function unsealed() returns trigger language plpgsql as
      $$begin new.figures := new.figures || '{"sutura_audit_seal_age_seconds":400}'; return new; end$$`);
    await this.query(
      'create trigger unsealed before insert or update on process_reports for each row execute function unsealed()',
    );
  }

  /** It wants a terabyte free. */
  async startIllWorker(): Promise<void> {
    const { databaseUrl, dataDir } = this.gateway;
    const models = join(dataDir, 'no-models');
    await mkdir(models);
    this.worker = await startGateway({
      databaseUrl,
      dataDir,
      roles: 'worker',
      until: 'listening',
      env: { SUTURA_MODELS_DIR: models, SUTURA_MIN_FREE_MIB: '1000000' },
    });
  }

  async killWorker(): Promise<void> {
    await this.worker?.kill();
  }

  async close(): Promise<void> {
    for (const end of this.ends) await end();
    await this.worker?.stop();
  }
}

describeInBrowser('within 30 s the first page shows', () => {
  let ground: ConsoleGround;
  let faults: FaultsGround;
  beforeAll(async () => {
    ground = await ConsoleGround.open({ SUTURA_DELIVERY_NETWORKS: '127.0.0.0/8' });
    faults = new FaultsGround(ground, ground.hospital);
  });
  afterAll(async () => {
    await faults?.close();
    await ground?.close();
  });

  /** Both pages are open before anything is wrong. */
  async function expectShown({ name, induce, title, words, unseen }: Fault): Promise<void> {
    const { pages } = ground;
    await pages.open(async (page) => {
      await pages.open(
        async (viewers) => {
          await induce(faults);
          const shows = async (one: Page): Promise<void> => {
            const needs = one.getByRole('region', { name: title }).getByRole('listitem').filter({ hasText: words });
            await needs.first().waitFor({ timeout: WITHIN_MS });
          };
          await Promise.all([
            shows(page),
            unseen === undefined ? shows(viewers) : viewers.getByText(unseen).waitFor({ timeout: WITHIN_MS }),
          ]);
          for (const one of [page, viewers]) expect(await one.getByText(ALL_IS_WELL).count()).toBe(0);
          const folder = process.env['SUTURA_PICTURES'];
          if (folder !== undefined) await page.screenshot({ path: `${folder}/now-${name}.png`, fullPage: true });
        },
        { name: 'vera' },
      );
    });
  }

  it('to every role, of a process beside: no room on its disk, no model, and that it died', async () => {
    for (const fault of OF_A_PROCESS) await expectShown(fault);
  });

  it.each(FAULTS)('to every role, or that it is not for them: $name', expectShown);
});
