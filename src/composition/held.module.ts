import { Global, Module } from '@nestjs/common';
import type { HeldSource } from '../core/held/held-source.js';
import { HeldItems } from '../core/held/held-items.js';
import { HeldService } from '../core/held/held.service.js';
import { IdentityConflicts } from '../core/held/identity-conflicts.js';
import { TimedOutPhotos } from '../core/held/timed-out-photos.js';
import { JobRetries } from '../core/analysis/job-retries.js';
import { Outbox } from '../core/domain-events/outbox.js';
import { UnitOfWork } from '../core/ports/unit-of-work.js';
import { bind } from '../platform/bind.js';
import { SettledMessages } from '../doors/hl7v2/inbox/processing/settled-messages.handler.js';
import { HeldMessages } from '../doors/hl7v2/inbox/store/held-messages.js';
import { CORE_PORTS } from './core-ports.js';
import { CoreModule } from './core.module.js';
import { HeldMetrics } from '../records/held/held.metrics.js';

/** Binds HeldService to the sources that there are; a new one is a line in each list. Global, as two doors show the list. In every process, as every process relays events. */
@Global()
@Module({
  imports: [CoreModule],
  providers: [
    bind(IdentityConflicts, HeldItems, Outbox, UnitOfWork),
    bind(TimedOutPhotos, CORE_PORTS, JobRetries),
    {
      provide: HeldService,
      inject: [UnitOfWork, IdentityConflicts, TimedOutPhotos],
      useFactory: (unitOfWork: UnitOfWork, ...sources: HeldSource[]) => new HeldService(sources, unitOfWork),
    },
    HeldMetrics,
    HeldMessages,
    SettledMessages,
  ],
  exports: [HeldService],
})
export class HeldModule {}
