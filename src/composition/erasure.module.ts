import { Global, Module } from '@nestjs/common';
import { AuditArchives } from '../core/audit/audit-archive.js';
import { PatientErasure } from '../core/erasure/patient-erasure.js';
import { PatientFinder } from '../core/erasure/patient-finder.js';
import { PatientHolds } from '../core/erasure/patient-holds.js';
import { PatientDataErasers } from '../core/erasure/patient-data-eraser.js';
import { PatientRecords } from '../core/erasure/patient-records.js';
import { PatientRemoval } from '../core/erasure/patient-removal.js';
import { TypedWordsErasure } from '../core/erasure/typed-words-erasure.js';
import { UnnamedResults } from '../core/erasure/unnamed-results.js';
import { ObjectStore } from '../core/images/object-store.js';
import { FhirErasureModule } from '../doors/fhir/fhir-tables.module.js';
import { Hl7ErasureModule } from './hl7v2.module.js';
import { CORE_PORTS } from './core-ports.js';
import { EventLogEraser } from '../records/events/event-log.eraser.js';
import { HeldItemsEraser } from '../records/held/held-items.eraser.js';
import { ReviewDraftsEraser } from '../records/reports/review-drafts.eraser.js';
import { bind, from } from '../platform/bind.js';
import { Settings } from '../platform/config/settings.js';
import { StorageModule } from '../storage/drivers/storage.module.js';
import { EhrPushErasureModule } from '../exits/ehr/index.js';
import { WebhooksErasureModule } from '../exits/webhooks/index.js';
import { AuditArchivesModule } from './audit-archives.module.js';

/** The registry alone, so that the erasers of every part can declare themselves to it. */
@Global()
@Module({ providers: [bind(PatientDataErasers)], exports: [PatientDataErasers] })
class PatientDataErasersModule {}

const SERVICES = [
  bind(PatientFinder, PatientRecords),
  bind(TypedWordsErasure, PatientRecords, AuditArchives),
  bind(PatientRemoval, PatientRecords, PatientDataErasers, TypedWordsErasure),
  bind(UnnamedResults, { ...CORE_PORTS, patients: PatientRecords, removal: PatientRemoval, store: ObjectStore }),
  bind(
    PatientErasure,
    { ...CORE_PORTS, finder: PatientFinder, patients: PatientRecords, removal: PatientRemoval, store: ObjectStore },
    from(Settings, ({ workers }) => workers.leaseS),
  ),
  bind(PatientHolds, { ...CORE_PORTS, finder: PatientFinder }),
];

/** Binds the erasure of patients to core's records and to the erasers of every part. A part that keeps patients' data is a line here. */
@Module({
  imports: [
    PatientDataErasersModule,
    StorageModule,
    AuditArchivesModule,
    Hl7ErasureModule,
    WebhooksErasureModule,
    EhrPushErasureModule,
    FhirErasureModule,
  ],
  providers: [...SERVICES, HeldItemsEraser, ReviewDraftsEraser, EventLogEraser],
  exports: SERVICES.map(({ provide }) => provide),
})
export class ErasureModule {}
