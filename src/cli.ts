import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { Module, type DynamicModule, type INestApplicationContext } from '@nestjs/common';
import { AuditLog } from './core/ports/audit-trail.js';
import { AUDIT_COMMANDS } from './identity/admin/audit.commands.js';
import { TENANCY_COMMANDS } from './identity/admin/tenancy.commands.js';
import { TenancyDesk } from './identity/admin/tenancy-desk.js';
import { runCli } from './identity/admin/run-cli.js';
import { readSettings, SettingsError, type Settings } from './platform/config/settings.js';
import { DatabaseModule } from './platform/database/database.module.js';
import { openDatabaseBeside, type DatabaseHandle } from './platform/database/embedded-postgres.js';
import { migrate } from './platform/database/migrate.js';
import { Logger } from './platform/logging/logger.js';
import { PlatformModule } from './platform/platform.module.js';
import { TenancyModule } from './tenancy.module.js';

/** The part of the service that the command line needs; a new area of commands adds its module here. */
@Module({})
class CliModule {
  static register(settings: Settings, logger: Logger, databaseUrl: string): DynamicModule {
    return {
      module: CliModule,
      imports: [PlatformModule.register(settings, logger), DatabaseModule.register(databaseUrl), TenancyModule],
      providers: [TenancyDesk],
    };
  }
}

/** Opens the database only when a command needs it: the running gateway's own, or one started for this moment. */
class CliContext {
  private database: DatabaseHandle | undefined;
  private app: INestApplicationContext | undefined;

  async open(): Promise<{ desk: TenancyDesk; audit: AuditLog }> {
    const settings = readSettings(process.env);
    // Standard output belongs to the command's answer.
    const logger = Logger.create(settings.environment.SUTURA_LOG_LEVEL === 'debug' ? 'debug' : 'error', process.stderr);
    this.database = await openDatabaseBeside(settings, logger);
    await migrate(this.database.url, logger);
    this.app = await NestFactory.createApplicationContext(CliModule.register(settings, logger, this.database.url), { logger: false, abortOnError: false });
    return { desk: this.app.get(TenancyDesk), audit: this.app.get(AuditLog, { strict: false }) };
  }

  async close(): Promise<void> {
    await this.app?.close();
    await this.database?.stop();
  }
}

async function main(): Promise<number> {
  const context = new CliContext();
  const output = {
    out: (text: string) => void process.stdout.write(`${text}\n`),
    err: (text: string) => void process.stderr.write(`${text}\n`),
  };
  try {
    return await runCli(process.argv.slice(2), [...TENANCY_COMMANDS, ...AUDIT_COMMANDS], () => context.open(), output);
  } finally {
    await context.close();
  }
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`The command failed: ${error instanceof Error ? error.message : 'unknown fault'}\n`);
    if (!(error instanceof SettingsError) && error instanceof Error) process.stderr.write(`${error.stack ?? ''}\n`);
    process.exitCode = 1;
  },
);
