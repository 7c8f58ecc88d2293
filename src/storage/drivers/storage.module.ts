import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { Clock } from '../../core/ports/clock.js';
import { ObjectStore } from '../../core/ports/object-store.js';
import { Settings } from '../../platform/config/settings.js';
import { ServiceSecrets } from '../../platform/database/service-secrets.js';
import { UploadSigner } from '../signing/upload-signer.js';
import { BlobFolder } from './blob-folder.js';
import { LocalStore } from './local.store.js';
import { connectS3, S3Store } from './s3.store.js';
import { StorageProbe } from './storage.probe.js';

/** Provides the port ObjectStore by the driver that SUTURA_STORAGE names, and what the local driver's upload endpoint needs. */
@Module({
  providers: [
    StorageProbe,
    { provide: BlobFolder, inject: [Settings], useFactory: (settings: Settings) => new BlobFolder(join(settings.dataDir, 'objects')) },
    {
      provide: UploadSigner,
      inject: [ServiceSecrets, Settings],
      // Asked anew each time: the public address is known only once the server listens where the port is 0.
      useFactory: (secrets: ServiceSecrets, settings: Settings) => new UploadSigner(secrets, () => settings.publicUrl),
    },
    {
      provide: ObjectStore,
      inject: [Settings, BlobFolder, UploadSigner, Clock],
      useFactory: (settings: Settings, blobs: BlobFolder, signer: UploadSigner, clock: Clock) =>
        settings.environment.SUTURA_STORAGE === 's3' ? new S3Store(connectS3(settings.environment), settings.environment.S3_BUCKET ?? '', clock) : new LocalStore(blobs, signer),
    },
  ],
  exports: [ObjectStore, BlobFolder, UploadSigner, StorageProbe],
})
export class StorageModule {}
