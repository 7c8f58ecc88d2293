import { NestFactory } from '@nestjs/core';
import { Module, type DynamicModule, type INestApplicationContext } from '@nestjs/common';
import { OperatorTrail } from '../core/audit/operator-trail.js';
import { AuditLog } from '../core/ports/audit-trail.js';
import { AUDIT_COMMANDS, type AuditServices } from '../identity/admin/audit.commands.js';
import { commandLineOperator } from '../identity/admin/command-line-operator.js';
import { TENANCY_COMMANDS, type TenancyServices } from '../identity/admin/tenancy.commands.js';
import { TenancyDesks } from '../identity/admin/tenancy-desk.js';
import { TRACE_COMMANDS, type TraceServices } from '../identity/admin/trace.commands.js';
import { TraceDesks } from '../identity/admin/trace-desk.js';
import { CoreModule } from './core.module.js';
import { Hl7RecordsModule } from './hl7-records.module.js';
import { Hl7CommandsModule, Hl7TrialModule } from '../hl7v2/hl7v2.module.js';
import { sourceOf } from '../hl7v2/inbox/listeners/hl7-listener.js';
import { ListenerRepository } from '../hl7v2/inbox/listeners/listener.repository.js';
import {
  HL7_COMMANDS,
  Hl7Trial,
  MessageDesks,
  PeerDesks,
  type Hl7Services,
  type TrialView,
} from '../hl7v2/operator/index.js';
import { ClinicalRecords } from '../hl7v2/records/clinical-records.js';
import { SuturaError } from '../core/errors/sutura-error.js';
import { readSettings, type Settings } from '../platform/config/settings.js';
import { DatabaseModule } from '../platform/database/database.module.js';
import { openDatabaseBeside, type DatabaseHandle } from '../platform/database/open-database.js';
import { migrate } from '../platform/database/migrate.js';
import { Logger } from '../platform/logging/logger.js';
import { PlatformModule } from '../platform/platform.module.js';
import { TenancyModule } from './tenancy.module.js';
import { TraceModule } from './trace.module.js';

/** The part of the service that the command line needs; a new area of commands adds its module here. */
@Module({})
class CliModule {
  static register(settings: Settings, logger: Logger, databaseUrl: string): DynamicModule {
    return {
      module: CliModule,
      imports: [
        PlatformModule.register(settings, logger),
        DatabaseModule.register(databaseUrl),
        TenancyModule,
        TraceModule,
        Hl7CommandsModule,
      ],
      providers: [TenancyDesks, TraceDesks],
    };
  }

  /** Trying a message looks at the records, which stand on nearly everything but the workers. */
  static withRecords(settings: Settings, logger: Logger, databaseUrl: string): DynamicModule {
    const imports = [
      PlatformModule.register(settings, logger),
      DatabaseModule.register(databaseUrl),
      CoreModule,
      Hl7RecordsModule,
      Hl7TrialModule,
    ];
    return { module: CliModule, imports };
  }
}

/** Opens the database only when a command needs it: the running gateway's own, or one started for this moment. */
export class CommandServices {
  private database: DatabaseHandle | undefined;
  private readonly apps: INestApplicationContext[] = [];
  private readonly settings = readSettings(process.env);
  // Standard output belongs to the command's answer.
  private readonly logger = Logger.create(
    this.settings.process.logLevel === 'debug' ? 'debug' : 'error',
    process.stderr,
  );

  async open(): Promise<TenancyServices & AuditServices & TraceServices & Hl7Services> {
    this.database = await openDatabaseBeside(this.settings, this.logger);
    const { url } = this.database;
    await migrate(url, this.logger);
    const app = await this.start(CliModule.register(this.settings, this.logger, url));
    const tryMessage = (message: Uint8Array, listenerId: string): Promise<TrialView> =>
      this.tryMessage(url, message, listenerId);
    const trail = app.get(OperatorTrail, { strict: false });
    const operator = commandLineOperator();
    return {
      desk: app.get(TenancyDesks).of(operator),
      writeDown: (act) => trail.record(operator, act),
      audit: app.get(AuditLog, { strict: false }),
      tracing: app.get(TraceDesks).of(operator),
      peers: app.get(PeerDesks, { strict: false }).of(operator),
      messages: app.get(MessageDesks, { strict: false }).of(operator),
      tryMessage,
    };
  }

  async close(): Promise<void> {
    for (const app of this.apps) await app.close();
    await this.database?.stop();
  }

  private async tryMessage(databaseUrl: string, message: Uint8Array, listenerId: string): Promise<TrialView> {
    const app = await this.start(CliModule.withRecords(this.settings, this.logger, databaseUrl));
    const listener = await app.get(ListenerRepository, { strict: false }).find(listenerId);
    if (listener === null) throw new SuturaError('hl7.listener_not_found');
    return app
      .get(Hl7Trial, { strict: false })
      .run(message, sourceOf(listener), app.get<ClinicalRecords>(ClinicalRecords, { strict: false }));
  }

  private async start(module: DynamicModule): Promise<INestApplicationContext> {
    const app = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
    this.apps.push(app);
    return app;
  }
}

/** Every command; a new area adds its list here and its module above. */
export const COMMANDS = [...TENANCY_COMMANDS, ...AUDIT_COMMANDS, ...TRACE_COMMANDS, ...HL7_COMMANDS];
