import { Module } from '@nestjs/common';
import type { DryRunView } from '../doors/admin/hl7v2/operations/dry-run.views.js';
import { MessageDryRun } from '../doors/admin/hl7v2/operations/message-dry-run.js';
import { bind } from '../platform/bind.js';
import { CommandSession } from './command-session.js';
import { CoreModule } from './core.module.js';
import { HeldModule } from './held.module.js';
import { Hl7RecordsModule } from './hl7-records.module.js';
import { Hl7DryRunModule } from './hl7v2.module.js';

/** Starts an application of its own for a dry run, as the records need nearly every module but the workers. */
class DryRunInItsOwnApplication implements Pick<MessageDryRun, 'run'> {
  constructor(private readonly session: CommandSession) {}

  async run(message: Uint8Array, listenerId: string): Promise<DryRunView> {
    const app = await this.session.start([CoreModule, HeldModule, Hl7RecordsModule, Hl7DryRunModule]);
    return app.get(MessageDryRun, { strict: false }).run(message, listenerId);
  }
}

/** Binds the dry run of the HL7 v2 commands. */
@Module({
  providers: [{ ...bind(DryRunInItsOwnApplication, CommandSession), provide: MessageDryRun }],
  exports: [MessageDryRun],
})
export class Hl7DryRunOfCommandsModule {}
