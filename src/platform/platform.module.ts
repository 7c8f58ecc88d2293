import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Clock } from '../core/ports/clock.js';
import { IdSource } from '../core/ports/id-source.js';
import { Digest } from '../core/ports/image-inspector.js';
import { Settings } from './config/settings.js';
import { NodeDigest } from './id/node-digest.js';
import { UuidV7IdSource } from './id/uuid-v7.id-source.js';
import { PublicAddress } from './http/public-address.js';
import { Logger } from './logging/logger.js';

/** What every module may inject without importing anything. */
@Global()
@Module({})
export class PlatformModule {
  static register(settings: Settings, logger: Logger): DynamicModule {
    const providers = [
      { provide: Settings, useValue: settings },
      PublicAddress,
      { provide: Logger, useValue: logger },
      { provide: Clock, useValue: { now: () => new Date() } satisfies Clock },
      { provide: IdSource, useClass: UuidV7IdSource },
      { provide: Digest, useClass: NodeDigest },
    ];
    return {
      module: PlatformModule,
      providers,
      exports: providers.map((provider) => ('provide' in provider ? provider.provide : provider)),
    };
  }
}
