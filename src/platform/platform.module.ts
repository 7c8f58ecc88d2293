import { createHash } from 'node:crypto';
import { Global, Module, type DynamicModule } from '@nestjs/common';
import { v7 } from 'uuid';
import { Clock } from '../core/ports/clock.js';
import { IdSource } from '../core/ports/id-source.js';
import { Digest } from '../core/ports/digest.js';
import { Settings } from './config/settings.js';
import { PublicAddress } from './http/public-address.js';
import { Logger } from './logging/logger.js';

/** UUIDv7, lower case (RFC 9562 5.7). */
const UUID_V7: IdSource = { next: () => v7() };
export const NODE_DIGEST: Digest = {
  sha256: (bytes) => createHash('sha256').update(bytes).digest('hex'),
  sha1: (bytes) => createHash('sha1').update(bytes).digest('hex'),
};

/** The providers that every module may inject without importing anything. */
@Global()
@Module({})
export class PlatformModule {
  static register(settings: Settings, logger: Logger): DynamicModule {
    const providers = [
      { provide: Settings, useValue: settings },
      PublicAddress,
      { provide: Logger, useValue: logger },
      { provide: Clock, useValue: { now: () => new Date() } satisfies Clock },
      { provide: IdSource, useValue: UUID_V7 },
      { provide: Digest, useValue: NODE_DIGEST },
    ];
    return {
      module: PlatformModule,
      providers,
      exports: providers.map((provider) => ('provide' in provider ? provider.provide : provider)),
    };
  }
}
