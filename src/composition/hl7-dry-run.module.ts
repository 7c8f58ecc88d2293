import { Module } from '@nestjs/common';
import { SuturaError } from '../core/errors/sutura-error.js';
import { Hl7DryRunModule } from './hl7v2.module.js';
import { sourceOf } from '../doors/hl7v2/inbox/listeners/hl7-listener.js';
import { ListenerRepository } from '../doors/hl7v2/inbox/listeners/listener.repository.js';
import { CommandDryRun } from '../doors/admin/hl7v2/commands/command-input.js';
import type { DryRunView } from '../doors/admin/hl7v2/operations/dry-run.views.js';
import { MessageDryRun } from '../doors/admin/hl7v2/operations/message-dry-run.js';
import { ClinicalRecords } from '../standards/hl7v2/records/clinical-records.js';
import { bind } from '../platform/bind.js';
import { CommandSession } from './command-session.js';
import { CoreModule } from './core.module.js';
import { Hl7RecordsModule } from './hl7-records.module.js';

/** Starts an application of its own for a dry run, as the records need nearly every module but the workers. */
class DryRunInItsOwnApplication implements CommandDryRun {
  constructor(private readonly session: CommandSession) {}

  async run(message: Uint8Array, listenerId: string): Promise<DryRunView> {
    const app = await this.session.start([CoreModule, Hl7RecordsModule, Hl7DryRunModule]);
    const listener = await app.get(ListenerRepository, { strict: false }).find(listenerId);
    if (listener === null) throw new SuturaError('hl7.listener_not_found');
    return app
      .get(MessageDryRun, { strict: false })
      .run(message, sourceOf(listener), app.get<ClinicalRecords>(ClinicalRecords, { strict: false }));
  }
}

/** Binds the dry run of the HL7 v2 commands. */
@Module({
  providers: [{ ...bind(DryRunInItsOwnApplication, CommandSession), provide: CommandDryRun }],
  exports: [CommandDryRun],
})
export class Hl7DryRunOfCommandsModule {}
