import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Global, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { AnnouncedUpload } from '../../../src/core/images/image.js';
import { StorageAllowance } from '../../../src/core/images/storage-allowance.js';
import { ImageService } from '../../../src/core/images/image.service.js';
import { BrowserOrigins } from '../../../src/core/organizations/browser-origins.js';
import { OrganizationRepository } from '../../../src/core/organizations/organization.repository.js';
import { Clock } from '../../../src/core/ports/clock.js';
import { IdSource } from '../../../src/core/ports/id-source.js';
import { Digest } from '../../../src/core/ports/digest.js';
import { ImageRepository } from '../../../src/core/images/image.repository.js';
import { ObjectStore } from '../../../src/core/images/object-store.js';
import { Outbox } from '../../../src/core/domain-events/outbox.js';
import { UnitOfWork } from '../../../src/core/ports/unit-of-work.js';
import { bind } from '../../../src/platform/bind.js';
import { readSettings } from '../../../src/platform/config/settings.js';
import { RecordsModule } from '../../../src/records/records.module.js';
import { HttpAdapter } from '../../../src/platform/http/http.adapter.js';
import { HttpModule } from '../../../src/platform/http/http.module.js';
import { Logger } from '../../../src/platform/logging/logger.js';
import { PlatformModule } from '../../../src/platform/platform.module.js';
import { StorageModule } from '../../../src/storage/drivers/storage.module.js';
import { UploadModule } from '../../../src/storage/upload/upload.module.js';
import { queryDatabase as query } from '../../support/database-query.js';
import { createTestDatabase } from '../../support/test-database.js';

export const MAX_BYTES = 200_000;
const PORTS = [UnitOfWork, ImageRepository, ObjectStore, Digest, Outbox, Clock, IdSource];

/** Core's own ImageService; what a picture looks like inside is not the matter here, so every one is readable. */
@Global()
@Module({
  imports: [StorageModule],
  providers: [
    {
      provide: ImageService,
      inject: PORTS,
      useFactory: (
        unitOfWork: UnitOfWork,
        images: ImageRepository,
        store: ObjectStore,
        digest: Digest,
        outbox: Outbox,
        clock: Clock,
        ids: IdSource,
      ) => {
        const inspector = {
          inspect: (_: unknown, format: 'jpeg' | 'png' | 'webp') =>
            Promise.resolve({ readable: true as const, format, widthPx: 64, heightPx: 64 }),
        };
        return new ImageService(
          {
            unitOfWork,
            images,
            store,
            inspector,
            digest,
            outbox,
            allowance: new StorageAllowance({ unitOfWork, images, clock }, 0),
            clock,
            ids,
          },
          { uploadLifeS: 900, maxBytes: MAX_BYTES },
        );
      },
    },
    bind(BrowserOrigins, { unitOfWork: UnitOfWork, organizations: OrganizationRepository, clock: Clock }),
  ],
  exports: [ImageService, BrowserOrigins],
})
class ImagesModule {}

/** The upload endpoint on a real socket, over a real database and folder. */
export class UploadGround {
  private constructor(
    private readonly app: NestFastifyApplication,
    private readonly dataDir: string,
    private readonly database: { readonly url: string; drop(): Promise<void> },
    private readonly organizationId: string,
    readonly logLines: string[],
  ) {}

  static async open(): Promise<UploadGround> {
    const database = await createTestDatabase();
    const dataDir = await mkdtemp(join(tmpdir(), 'sutura-upload-'));
    const settings = readSettings({ SUTURA_DATA_DIR: dataDir, PORT: '0' });
    const logLines: string[] = [];
    const logger = Logger.create('debug', { write: (line: string) => void logLines.push(line) });
    const module = {
      module: UploadGround as never,
      imports: [
        PlatformModule.register(settings, logger),
        RecordsModule.register(database.url),
        HttpModule,
        ImagesModule,
        UploadModule,
      ],
    };
    const app = await NestFactory.create<NestFastifyApplication>(module, new HttpAdapter(settings), {
      logger: false,
      abortOnError: false,
    });
    await app.listen(0, '127.0.0.1');
    const organizationId = randomUUID();
    await query(database.url, `insert into organizations values ($1, 'Clinic', 'pro', null, 'review', now())`, [
      organizationId,
    ]);
    return new UploadGround(app, dataDir, database, organizationId, logLines);
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.database.drop();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  async ticket(
    announced: Partial<AnnouncedUpload> = {},
  ): Promise<{ imageId: string; url: URL; headers: Record<string, string> }> {
    const tenant = { organizationId: this.organizationId, environment: 'test' as const };
    const { image, upload } = await this.app
      .get(ImageService)
      .requestUpload(tenant, { contentType: null, contentLength: null, sha256: null, ...announced });
    return { imageId: image.id, url: new URL(upload.url), headers: { ...upload.headers } };
  }

  /** The image's row. */
  async image(imageId: string): Promise<{ status: string; sha256: string | null; size_bytes: string | null }> {
    return (
      await query(this.database.url, 'select status, sha256, size_bytes from images where id = $1', [imageId])
    )[0] as never;
  }

  async expire(imageId: string, url: URL): Promise<URL> {
    const signer = this.app.get(ObjectStore);
    const expired = await signer.signUpload({
      imageId,
      objectKey: `images/${imageId}/original`,
      announced: { contentType: null, contentLength: null, sha256: null },
      maxBytes: MAX_BYTES,
      expiresAt: new Date(Date.now() - 1),
    });
    return new URL(url.origin + new URL(expired.url).pathname + new URL(expired.url).search);
  }

  async storedBytes(imageId: string): Promise<Uint8Array | null> {
    return this.app.get(ObjectStore).get(`images/${imageId}/original`);
  }

  /** Files that were begun and neither kept nor removed. */
  leftovers(): Promise<string[]> {
    return readdir(join(this.dataDir, 'objects', 'tmp')).catch(() => []);
  }
}
