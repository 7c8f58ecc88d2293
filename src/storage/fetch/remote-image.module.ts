import { Module } from '@nestjs/common';
import { RemoteImageSource } from '../../core/remote-images/remote-image.source.js';
import { bind, from } from '../../platform/bind.js';
import { Settings } from '../../platform/config/settings.js';
import { AddressGuard, networksOf } from '../../platform/http-client/address-guard.js';
import { GuardedImageSource, type FetchRules } from './guarded-image.source.js';

const TIMEOUT_MS = 20_000;

/** Provides the port RemoteImageSource. */
@Module({
  providers: [{ ...bind(GuardedImageSource, from(Settings, fetchRules)), provide: RemoteImageSource }],
  exports: [RemoteImageSource],
})
export class RemoteImageModule {}

function fetchRules({ images }: Settings): FetchRules {
  return { guard: new AddressGuard(networksOf(images.fetchNetworks)), timeoutMs: TIMEOUT_MS };
}
