import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { Clock } from '../../core/ports/clock.js';
import { ObjectStore } from '../../core/images/object-store.js';
import { bind, from } from '../../platform/bind.js';
import { Settings } from '../../platform/config/settings.js';
import { Logger } from '../../platform/logging/logger.js';
import { ServiceSecrets } from '../../platform/database/service-secrets.js';
import { PublicAddress } from '../../platform/http/public-address.js';
import { EncryptionKeys } from '../../platform/encryption/encryption-keys.js';
import { ObjectEncryption } from '../encryption/object-encryption.js';
import { UploadSigner } from '../signing/upload-signer.js';
import { BlobFolder } from './blob-folder.js';
import { LocalStore } from './local.store.js';
import { StorageProbe } from './storage.probe.js';

/** Provides the port ObjectStore by the driver that SUTURA_STORAGE names, and what the local driver's upload endpoint needs. */
@Module({
  providers: [
    StorageProbe,
    bind(ObjectEncryption, EncryptionKeys),
    bind(
      BlobFolder,
      from(Settings, ({ process }) => join(process.dataDir, 'objects')),
      ObjectEncryption,
    ),
    bind(UploadSigner, ServiceSecrets, PublicAddress),
    {
      provide: ObjectStore,
      inject: [Settings, BlobFolder, UploadSigner, Clock, Logger],
      useFactory: openStore,
    },
  ],
  exports: [ObjectStore, BlobFolder, UploadSigner, StorageProbe],
})
export class StorageModule {}

async function openStore(
  { storage, s3 }: Settings,
  blobs: BlobFolder,
  signer: UploadSigner,
  clock: Clock,
  logger: Logger,
): Promise<ObjectStore> {
  if (storage.driver === 'local') return new LocalStore(blobs, signer, logger);
  // Loaded only where it is used: the AWS SDK would cost every other start a quarter of a second.
  const { connectS3, S3Store } = await import('./s3.store.js');
  const publicEndpoint = s3.publicEndpoint;
  return new S3Store(connectS3(s3), s3.bucket ?? '', clock, {
    ...(publicEndpoint === undefined ? {} : { publicClient: connectS3(s3, publicEndpoint) }),
    conditionalPut: s3.conditionalPut,
    encryption: { by: s3.encryption, kmsKeyId: s3.kmsKeyId },
    logger,
  });
}
