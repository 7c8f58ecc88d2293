import { Global, Module } from '@nestjs/common';
import { Outbox } from '../core/domain-events/outbox.js';
import { AwaitedNumbers } from '../core/held/awaited-numbers.js';
import { HeldItems } from '../core/held/held-items.js';
import { HeldRequests, RequestSeal } from '../core/held/held-requests.js';
import type { HeldSource } from '../core/held/held-source.js';
import { HeldService } from '../core/held/held.service.js';
import { IdentityConflicts } from '../core/held/identity-conflicts.js';
import { SandboxConflicts } from '../core/held/sandbox-conflicts.js';
import { UnknownAuthorities } from '../core/held/unknown-authorities.js';
import { UnclearWoundRepository } from '../core/held/unclear-wound.repository.js';
import { UnclearWounds } from '../core/held/unclear-wounds.js';
import { WoundService } from '../core/wounds/wound.service.js';
import { UnknownPatients } from '../core/held/unknown-patients.js';
import { TimedOutPhotos } from '../core/held/timed-out-photos.js';
import { JobRetries } from '../core/analysis/job-retries.js';
import { UnitOfWork } from '../core/ports/unit-of-work.js';
import { FhirRecordsModule } from '../doors/fhir/fhir-records.module.js';
import { HeldPatients } from '../doors/fhir/records/held-patients.js';
import { SettledBundles } from '../doors/fhir/records/settled-bundles.handler.js';
import { AnnouncedPatients } from '../doors/hl7v2/inbox/processing/announced-patients.handler.js';
import { SettledMessages } from '../doors/hl7v2/inbox/processing/settled-messages.handler.js';
import { HeldMessages } from '../doors/hl7v2/inbox/store/held-messages.js';
import { UnmatchedRecordsSource } from '../doors/fhir/records/unmatched-records.source.js';
import { UnmatchedRecords } from '../standards/fhir/store/unmatched-records.js';
import { bind } from '../platform/bind.js';
import { AuthoritiesModule } from './authorities.module.js';
import { CORE_PORTS } from './core-ports.js';
import { CoreModule } from './core.module.js';
import { HeldMetrics } from '../records/held/held.metrics.js';
import { SqlHeldRequests } from '../records/held/sql-held-requests.js';
import { MessageEncryption } from '../standards/hl7v2/encryption/message-encryption.js';

/** Binds HeldService to the sources that there are; a new one is a line in each list. Global, as several doors hold and show. */
@Global()
@Module({
  imports: [CoreModule, FhirRecordsModule, AuthoritiesModule],
  providers: [
    // The keys of what came in and is kept, whichever door it came by.
    { provide: RequestSeal, useClass: MessageEncryption },
    { provide: HeldRequests, useClass: SqlHeldRequests },
    bind(IdentityConflicts, HeldItems, Outbox, UnitOfWork),
    bind(SandboxConflicts, { ...CORE_PORTS, items: HeldItems }),
    bind(TimedOutPhotos, CORE_PORTS, JobRetries),
    bind(UnclearWounds, { unclear: UnclearWoundRepository, unitOfWork: UnitOfWork }, WoundService),
    bind(UnknownPatients, { ...CORE_PORTS, awaited: AwaitedNumbers, items: HeldItems }),
    UnmatchedRecords,
    UnmatchedRecordsSource,
    {
      provide: HeldService,
      inject: [
        UnitOfWork,
        IdentityConflicts,
        TimedOutPhotos,
        UnmatchedRecordsSource,
        HeldPatients,
        UnknownPatients,
        UnclearWounds,
        UnknownAuthorities,
      ],
      useFactory: (unitOfWork: UnitOfWork, ...sources: HeldSource[]) => new HeldService(sources, unitOfWork),
    },
    HeldMetrics,
  ],
  exports: [HeldService, HeldRequests, UnknownPatients, SandboxConflicts],
})
export class HeldModule {}

/** Works off what people decided about. In every process of the gateway, as every process relays events. */
@Module({ imports: [FhirRecordsModule], providers: [HeldMessages, SettledMessages, SettledBundles, AnnouncedPatients] })
export class SettledModule {}
