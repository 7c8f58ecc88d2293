import { Module } from '@nestjs/common';
import type { DryRunView } from '../doors/admin/hl7v2/operations/dry-run.views.js';
import { MessageDryRun } from '../doors/admin/hl7v2/operations/message-dry-run.js';
import type { ReprocessQuery } from '../doors/admin/hl7v2/operations/hl7.schema.js';
import {
  MessageReprocessing,
  type ReprocessedMessageView,
  type ReprocessedRangeView,
} from '../doors/admin/hl7v2/operations/message-reprocessing.js';
import { MessageRebuilds, type RebuiltView } from '../doors/admin/hl7v2/operations/message-rebuilds.js';
import type { Operator } from '../core/tenancy/operator.js';
import type { DryRun } from '../doors/hl7v2/inbox/processing/message-reprocessor.js';
import { bind } from '../platform/bind.js';
import { CommandSession } from './command-session.js';
import { CoreModule } from './core.module.js';
import { HeldModule } from './held.module.js';
import { Hl7RecordsModule } from './hl7-records.module.js';
import { Hl7DryRunModule, Hl7RebuildModule, Hl7ReprocessModule } from './hl7v2.module.js';

/** Starts an application of its own for a dry run, as the records need nearly every module but the workers. */
class DryRunInItsOwnApplication implements Pick<MessageDryRun, 'run'> {
  constructor(private readonly session: CommandSession) {}

  async run(message: Uint8Array, listenerId: string): Promise<DryRunView> {
    const app = await this.session.start([CoreModule, HeldModule, Hl7RecordsModule, Hl7DryRunModule]);
    return app.get(MessageDryRun, { strict: false }).run(message, listenerId);
  }
}

/** As a dry run, with an application of its own; one for all pages of a range. */
class ReprocessingInItsOwnApplication implements Pick<MessageReprocessing, 'one' | 'range'> {
  private started: Promise<MessageReprocessing> | undefined;

  constructor(private readonly session: CommandSession) {}

  async one(operator: Operator, id: string, isDry: boolean): Promise<ReprocessedMessageView> {
    return (await this.reprocessing()).one(operator, id, isDry);
  }

  async range(operator: Operator, query: ReprocessQuery, tried?: DryRun): Promise<ReprocessedRangeView> {
    return (await this.reprocessing()).range(operator, query, tried);
  }

  private reprocessing(): Promise<MessageReprocessing> {
    this.started ??= this.session
      .start([CoreModule, HeldModule, Hl7RecordsModule, Hl7ReprocessModule])
      .then((app) => app.get(MessageReprocessing, { strict: false }));
    return this.started;
  }
}

class RebuildsInTheirOwnApplication implements Pick<MessageRebuilds, 'one' | 'all'> {
  constructor(private readonly session: CommandSession) {}

  async one(operator: Operator, id: string): Promise<void> {
    await (await this.rebuilds()).one(operator, id);
  }

  async all(operator: Operator, destinationId: string): Promise<RebuiltView> {
    return (await this.rebuilds()).all(operator, destinationId);
  }

  private async rebuilds(): Promise<MessageRebuilds> {
    const app = await this.session.start([CoreModule, HeldModule, Hl7RecordsModule, Hl7RebuildModule]);
    return app.get(MessageRebuilds, { strict: false });
  }
}

/** Binds what the HL7 v2 commands do with the records: the dry run, and reading messages once more. */
@Module({
  providers: [
    { ...bind(DryRunInItsOwnApplication, CommandSession), provide: MessageDryRun },
    { ...bind(ReprocessingInItsOwnApplication, CommandSession), provide: MessageReprocessing },
    { ...bind(RebuildsInTheirOwnApplication, CommandSession), provide: MessageRebuilds },
  ],
  exports: [MessageDryRun, MessageReprocessing, MessageRebuilds],
})
export class Hl7DryRunOfCommandsModule {}
