import {
  Global,
  Inject,
  Module,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type Provider,
} from '@nestjs/common';
import { TypeOrmModule, type TypeOrmModuleOptions } from '@nestjs/typeorm';
import type { DataSourceOptions } from 'typeorm';
import { UnitOfWork } from '../../core/ports/unit-of-work.js';
import { Settings } from '../config/settings.js';
import { Logger } from '../logging/logger.js';
import { connectDataSource, dataSourceOptions, type DatabaseRole, poolSizes } from './data-source.js';
import { isDatabaseFault } from './database-fault.js';
import { EncryptionKeys } from '../encryption/encryption-keys.js';
import { DatabaseMetrics } from './database.metrics.js';
import { DatabaseProbe } from './database.probe.js';
import { EncryptionProbe } from './encryption.probe.js';
import { SchemaWatch } from './schema-watch.js';
import { SecretEncryption } from './secret-encryption.js';
import { encryptionKeysOf, InstallationKey } from './installation-key.js';
import { NotificationListener } from './notification-listener.js';
import { ServiceSecrets } from './service-secrets.js';
import { SYSTEM_SOURCE, SystemStatements, TENANT_SOURCE, TenantStatements } from './statements.js';
import { SqlUnitOfWork } from './unit-of-work.js';

const PROVIDERS: Provider[] = [
  TenantStatements,
  SystemStatements,
  ServiceSecrets,
  DatabaseMetrics,
  DatabaseProbe,
  EncryptionProbe,
  SchemaWatch,
  { provide: UnitOfWork, useClass: SqlUnitOfWork },
  { provide: EncryptionKeys, inject: [Settings], useFactory: encryptionKeysOf },
  { provide: InstallationKey, inject: [EncryptionKeys, SystemStatements], useFactory: InstallationKey.read },
  SecretEncryption,
];

/** PostgreSQL: pools, transactions, notifications, and the keys of encryption at rest. Global, as everything stands on it. */
@Global()
@Module({})
export class DatabaseModule implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(@Inject(NotificationListener) private readonly listener: NotificationListener) {}

  /** `url`: a database that `migrate` has brought up to date. */
  static register(url: string): DynamicModule {
    const listener: Provider = {
      provide: NotificationListener,
      inject: [Logger],
      useFactory: (logger: Logger) => new NotificationListener(url, logger),
    };
    const providers = [...PROVIDERS, listener];
    return {
      module: DatabaseModule,
      imports: [pool(url, TENANT_SOURCE, 'sutura_app'), pool(url, SYSTEM_SOURCE, 'sutura_system')],
      providers,
      exports: providers.map((provider) => (typeof provider === 'function' ? provider : provider.provide)),
    };
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.listener.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.listener.close();
  }
}

function pool(url: string, name: typeof TENANT_SOURCE | typeof SYSTEM_SOURCE, role: DatabaseRole): DynamicModule {
  return TypeOrmModule.forRootAsync({
    name,
    inject: [Settings, Logger],
    useFactory: (settings: Settings, logger: Logger): TypeOrmModuleOptions => ({
      ...dataSourceOptions(url, role, poolSizes(settings)[name], logger),
      name,
      retryAttempts: 20,
      retryDelay: 500,
      toRetry: isDatabaseFault,
    }),
    dataSourceFactory: (options) => connectDataSource(options as DataSourceOptions, role),
  });
}
