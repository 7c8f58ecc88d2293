import 'reflect-metadata';
import { setTimeout as delay } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { setUpApiDocs } from '../doors/native/openapi/api-docs.js';
import { AppModule } from './app.module.js';
import { TenancyService } from '../core/organizations/tenancy.service.js';
import { demoKeyFile, findDemoOrganization, prepareFirstStart, walkThrough } from './first-start.js';
import { DemoListener } from '../doors/hl7v2/inbox/listeners/demo-listener.js';
import { lockDownDecoders } from '../inference/index.js';
import type { InferencePool } from '../inference/worker/inference-pool.js';
import { isReachableFromElsewhere, type Settings } from '../platform/config/settings.js';
import { prepareEncryption } from '../platform/database/installation-key.js';
import { bringToRelease } from '../platform/database/migrate.js';
import { gaugeOf } from '../platform/health/shared-metrics.js';
import { Readiness } from '../platform/health/readiness.js';
import { HttpAdapter } from '../platform/http/http.adapter.js';
import { PublicAddress } from '../platform/http/public-address.js';
import type { Logger } from '../platform/logging/logger.js';

/** The longest that a stop waits for the first start's own work, such as a demo key that is being written. */
const GREETING_MS = 5000;

/** The parts that are started before the application. */
interface Foundations {
  readonly settings: Settings;
  readonly logger: Logger;
  readonly databaseUrl: string;
  /** Absent without the role `worker`. */
  readonly inference: InferencePool | undefined;
}

/** The application over a database that answers: migrated, listening, ready to be stopped. */
export class Gateway {
  private readonly address: PublicAddress;
  private greeting: Promise<void> = Promise.resolve();
  private isStopping = false;

  private constructor(
    private readonly app: NestFastifyApplication,
    private readonly foundations: Foundations,
  ) {
    this.address = app.get(PublicAddress, { strict: false });
  }

  static async start(foundations: Foundations): Promise<Gateway> {
    const { settings, logger, databaseUrl, inference } = foundations;
    lockDownDecoders();
    await bringToRelease(databaseUrl, settings, logger);
    await prepareEncryption(settings, databaseUrl, logger);
    const application = AppModule.register(settings, logger, databaseUrl, inference);
    const http = new HttpAdapter(settings, { logger, isTraced: settings.tracing.endpoint !== undefined });
    const app = await NestFactory.create<NestFastifyApplication>(application, http, {
      logger: false,
      abortOnError: false,
    });
    gaugeOf(
      'sutura_tls_certificate_days',
      'Days until the certificate of the HTTP server ends (TLS_CERT_FILE); below 0 it has ended',
      () => Promise.resolve(http.certificateDaysLeft(Date.now())),
    );
    if (settings.process.roles.includes('api')) setUpApiDocs(app, () => app.get(PublicAddress, { strict: false }).url);
    await app.listen(settings.http.port, settings.http.host);
    const gateway = new Gateway(app, foundations);
    gateway.announce();
    return gateway;
  }

  /** Makes the demo organization and says how to use it, if the database is the embedded one. */
  greet(): Promise<void> {
    this.greeting = this.welcome().catch((fault: unknown) => {
      // A stop took the database away from under it; the next start goes on.
      if (!this.isStopping) throw fault;
    });
    return this.greeting;
  }

  /**
   * Takes no further request, answers those that were taken, ends running work or gives it back, and closes
   * connections.
   */
  async stop(): Promise<void> {
    this.isStopping = true;
    this.app.get(Readiness, { strict: false }).close();
    await Promise.race([this.greeting.catch(() => undefined), delay(GREETING_MS, undefined, { ref: false })]);
    await this.app.close();
  }

  private async welcome(): Promise<void> {
    const { settings } = this.foundations;
    const { roles } = settings.process;
    if (settings.database.url !== undefined || !roles.includes('api')) return;
    const tenancy = this.app.get(TenancyService);
    const key = await prepareFirstStart(settings, tenancy);
    const demo = await findDemoOrganization(tenancy);
    if (demo !== null && roles.includes('hl7'))
      await this.app.get(DemoListener, { strict: false }).ensure({ organizationId: demo.id, environment: 'test' });
    if (demo !== null) await this.warnOfReachableKeys(tenancy, demo.id);
    if (key === null) return;
    // The key is shown to the person who started this, and never written into a log.
    if (process.stdout.isTTY) process.stdout.write(walkThrough(this.address.url, key));
    else this.foundations.logger.info('demo.ready', { keyFile: demoKeyFile(settings) });
  }

  /**
   * Warns of keys without an end: those of the demo organization are for this machine, and other machines reach it
   * now.
   */
  private async warnOfReachableKeys(tenancy: TenancyService, organizationId: string): Promise<void> {
    const { settings, logger } = this.foundations;
    if (!isReachableFromElsewhere(settings)) return;
    const endless = (await tenancy.listKeys(organizationId)).filter(
      ({ expiresAt, revokedAt }) => expiresAt === null && revokedAt === null,
    );
    if (endless.length > 0)
      logger.warn('demo.key_reachable', {
        host: settings.http.host,
        url: this.address.url,
        keyIds: endless.map(({ id }) => id),
        remedy: 'key revoke --key ID',
      });
  }

  private announce(): void {
    const { settings, logger } = this.foundations;
    const { port, url } = this.address;
    logger.info('server.listening', { port, url, roles: settings.process.roles });
  }
}
