import { Module } from '@nestjs/common';
import { RemoteImageSource } from '../../core/remote-images/remote-image.source.js';
import { Settings } from '../../platform/config/settings.js';
import { GuardedImageSource } from './guarded-image.source.js';
import { AddressGuard, networksOf } from '../../platform/http-client/address-guard.js';

const TIMEOUT_MS = 20_000;

/** Provides the port RemoteImageSource. */
@Module({
  providers: [
    {
      provide: RemoteImageSource,
      inject: [Settings],
      useFactory: ({ images }: Settings) =>
        new GuardedImageSource({
          guard: new AddressGuard(networksOf(images.fetchNetworks)),
          timeoutMs: TIMEOUT_MS,
        }),
    },
  ],
  exports: [RemoteImageSource],
})
export class RemoteImageModule {}
