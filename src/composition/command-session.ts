import { userInfo } from 'node:os';
import { NestFactory } from '@nestjs/core';
import type { DynamicModule, INestApplicationContext, Provider, Type } from '@nestjs/common';
import type { Operator } from '../core/tenancy/operator.js';
import { readSettings, settingNames, type Settings } from '../platform/config/settings.js';
import { RecordsModule } from '../records/records.module.js';
import { bringToRelease, isAtRelease, migrate } from '../platform/database/migrate.js';
import { openDatabaseBeside, type DatabaseHandle } from '../platform/database/open-database.js';
import { Logger } from '../platform/logging/logger.js';
import { PlatformModule } from '../platform/platform.module.js';

class CommandModule {}
class CommandSessionModule {}

/**
 * One run of the command line. The first application opens the database: the running gateway's own, or one started
 * for the command.
 */
export class CommandSession {
  /** `operator:root`: whoever runs a command on this machine. */
  readonly operator: Operator = { door: 'cli', name: `operator:${accountName()}` };
  private database: DatabaseHandle | undefined;
  private readonly apps: INestApplicationContext[] = [];
  readonly settings: Settings;
  /** The variables that are set. */
  readonly settingNames: readonly string[];
  private readonly variables: Readonly<NodeJS.ProcessEnv>;
  private readonly logger: Logger;

  /** `dataDir`: other than that of the settings. */
  constructor({
    variables,
    ...overrides
  }: {
    readonly variables: Readonly<NodeJS.ProcessEnv>;
    readonly dataDir?: string;
  }) {
    const settings = readSettings(variables);
    this.variables = variables;
    this.settingNames = settingNames(variables);
    this.settings = { ...settings, process: { ...settings.process, ...overrides } };
    // Standard output is for the command's answer.
    this.logger = Logger.create(settings.process.logLevel === 'debug' ? 'debug' : 'error', process.stderr);
  }

  /** The same settings over another data folder. */
  inFolder(dataDir: string): CommandSession {
    return new CommandSession({ variables: this.variables, dataDir });
  }

  /** Of the database that is open; contains the credentials of an account that may do everything. Never to be logged. */
  get databaseUrl(): string {
    if (this.database === undefined) throw new Error('No database is open yet.');
    return this.database.url;
  }

  /** Starts an application of these modules beside platform and database. They may inject this session. */
  async start(imports: readonly Type[], providers: readonly Provider[] = []): Promise<INestApplicationContext> {
    this.database ??= await this.openDatabase();
    const session: DynamicModule = {
      module: CommandSessionModule,
      global: true,
      providers: [{ provide: CommandSession, useValue: this }],
      exports: [CommandSession],
    };
    const root: DynamicModule = {
      module: CommandModule,
      imports: [
        PlatformModule.register(this.settings, this.logger),
        RecordsModule.register(this.database.url),
        session,
        ...imports,
      ],
      providers: [...providers],
    };
    const app = await NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
    this.apps.push(app);
    return app;
  }

  /** Brings the database to this release's schema, whatever the settings say of a start; the number of migrations applied. */
  async migrate(): Promise<number> {
    this.database = await openDatabaseBeside(this.settings, this.logger);
    return migrate(this.database.url, this.logger);
  }

  async close(): Promise<void> {
    for (const app of this.apps) await app.close();
    await this.database?.stop();
  }

  private async openDatabase(): Promise<DatabaseHandle> {
    const database = await openDatabaseBeside(this.settings, this.logger);
    this.database = database;
    // Beside a running gateway there is nothing to do, which is found out for less than doing it.
    if (!(await isAtRelease(database.url))) await bringToRelease(database.url, this.settings, this.logger);
    return database;
  }
}

/** An account without an entry in the machine's list has a number alone. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}
