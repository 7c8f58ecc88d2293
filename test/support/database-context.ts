import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import type { INestApplicationContext, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { v7 } from 'uuid';
import type { AnalysisJob } from '../../src/core/analysis/analysis-job.js';
import type { ImageRecord } from '../../src/core/images/image.js';
import { ImageRepository, type StoredUpload } from '../../src/core/images/image.repository.js';
import { JobRepository } from '../../src/core/analysis/job.repository.js';
import { OrganizationRepository } from '../../src/core/organizations/organization.repository.js';
import { UnitOfWork } from '../../src/core/ports/unit-of-work.js';
import type { Plan } from '../../src/core/organizations/organization.js';
import type { Environment, Tenant } from '../../src/core/tenancy/tenant.js';
import { readSettings } from '../../src/platform/config/settings.js';
import { RecordsModule } from '../../src/records/records.module.js';
import { Logger } from '../../src/platform/logging/logger.js';
import { PlatformModule } from '../../src/platform/platform.module.js';
import { newJob } from './new-job.js';

/** The database layer as the gateway wires it, over one test database. */
export class DatabaseContext {
  private constructor(private readonly app: INestApplicationContext) {}

  static async open(url: string, variables: Readonly<Record<string, string>> = {}): Promise<DatabaseContext> {
    const settings = readSettings({ SUTURA_LOG_LEVEL: 'silent', SUTURA_DATABASE_POOL: '8', ...variables });
    const logger = Logger.create('silent');
    const imports = [PlatformModule.register(settings, logger), RecordsModule.register(url)];
    const app = await NestFactory.createApplicationContext(
      { module: class TestRoot {}, imports },
      { logger: false, abortOnError: false },
    );
    return new DatabaseContext(app);
  }

  get<T>(token: Type<T> | (abstract new (...args: never[]) => T)): T {
    return this.app.get<T>(token as Type<T>, { strict: false });
  }

  close(): Promise<void> {
    return this.app.close();
  }

  /** A fresh organization and its tenant in one environment. */
  async createTenant(plan: Plan = 'pro', environment: Environment = 'test'): Promise<Tenant> {
    const id = v7();
    const organization = {
      id,
      name: 'Clinic',
      plan,
      dailyLimitOverride: null,
      resultPolicy: 'review' as const,
      autoAnalyze: false,
      unservedTypes: 'refuse' as const,
      imageHosts: [],
      browserOrigins: [],
      deliveryNetworks: [],
      reviewFrameOrigins: [],
      timeZone: null,
      unmatchedAfterMinutes: 1440,
      createdAt: new Date(),
    };
    await this.get(UnitOfWork).inSystem((transaction) =>
      this.get(OrganizationRepository).insert(transaction, organization),
    );
    return { organizationId: id, environment };
  }

  /** A readable stored image. */
  async createImage(
    tenant: Tenant,
    stored: Pick<StoredUpload, 'sizeBytes' | 'sha256'> = { sizeBytes: 1000, sha256: randomBytes(32).toString('hex') },
  ): Promise<ImageRecord> {
    const image = newImage(tenant);
    const images = this.get(ImageRepository);
    const verdict = { readable: true, format: 'jpeg', widthPx: 640, heightPx: 480 } as const;
    await this.get(UnitOfWork).inTenant(tenant, async (transaction) => {
      await images.insert(transaction, image);
      await images.markStored(transaction, image.id, { ...stored, verdict });
    });
    return image;
  }

  /** A queued job on a fresh image, or on the one named in `changes`. */
  async createJob(tenant: Tenant, changes: Partial<AnalysisJob> = {}): Promise<AnalysisJob> {
    const imageId = changes.imageId ?? (await this.createImage(tenant)).id;
    const job = newJob(tenant, { ...changes, imageId });
    await this.get(UnitOfWork).inTenant(tenant, (transaction) => this.get(JobRepository).insert(transaction, job));
    return job;
  }
}

/** An image record that awaits its upload. */
export function newImage(tenant: Tenant): ImageRecord {
  const id = v7();
  return {
    ...tenant,
    id,
    patientId: null,
    status: 'awaiting_upload',
    origin: 'upload',
    awaited: false,
    announced: { contentType: null, contentLength: null, sha256: null },
    maxBytes: 20_000_000,
    uploadExpiresAt: new Date(Date.now() + 900_000),
    objectKey: `images/${id}/original`,
    sizeBytes: null,
    sha256: null,
    verdict: null,
    createdAt: new Date(),
    storedAt: null,
    deletedAt: null,
  };
}
