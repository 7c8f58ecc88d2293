import { AuditLog } from '../../src/core/audit/audit-log.js';
import { AuditTrail } from '../../src/core/audit/audit-trail.js';
import { LegalHolds } from '../../src/core/erasure/legal-holds.js';
import { PatientErasure } from '../../src/core/erasure/patient-erasure.js';
import { PatientErasureRepository } from '../../src/core/erasure/patient-erasure.repository.js';
import { PatientFinder } from '../../src/core/erasure/patient-finder.js';
import type { PatientDataErasers } from '../../src/core/erasure/patient-data-eraser.js';
import { PatientRecords } from '../../src/core/erasure/patient-records.js';
import { PatientRemoval } from '../../src/core/erasure/patient-removal.js';
import { Retention } from '../../src/core/erasure/retention.js';
import { RetentionPolicies } from '../../src/core/erasure/retention-policy.js';
import { TypedWordsErasure } from '../../src/core/erasure/typed-words-erasure.js';
import { UnnamedResults } from '../../src/core/erasure/unnamed-results.js';
import type { ObjectStore } from '../../src/core/images/object-store.js';
import { ClinicalClock } from '../../src/core/ports/clinical-clock.js';
import { Clock } from '../../src/core/ports/clock.js';
import { IdSource } from '../../src/core/ports/id-source.js';
import { UnitOfWork } from '../../src/core/ports/unit-of-work.js';
import { MessageEncryption } from '../../src/standards/hl7v2/encryption/message-encryption.js';
import { AgedMessages } from '../../src/doors/hl7v2/inbox/store/aged-messages.js';
import { PastVersions } from '../../src/standards/fhir/store/past-versions.js';
import { readSettings } from '../../src/platform/config/settings.js';
import { imageErasureOver } from './core-services.js';
import type { DatabaseContext } from './database-context.js';

/** archives.spec.ts is about them. */
const NO_ARCHIVES = {
  sweep: () => Promise.resolve({ rows: 0, bytes: 0 }),
  redact: () => Promise.resolve({ rows: 0, folders: [] }),
};
/** A lease of this length is over at once, so that a sweep finds what was just tried. */
const LEASE_S = 0;

/** Erasure and retention over a real database, with the erasers that a test declares. */
export function erasureServicesOver(
  context: DatabaseContext,
  store: ObjectStore,
  erasers: PatientDataErasers,
  leaseS = LEASE_S,
): { readonly erasure: PatientErasure; readonly retention: Retention; readonly messages: AgedMessages } {
  const shared = {
    unitOfWork: context.get(UnitOfWork),
    trail: context.get(AuditTrail),
    audit: context.get(AuditLog),
    clinicalClock: context.get(ClinicalClock),
    clock: context.get(Clock),
    ids: context.get(IdSource),
  };
  const patients = context.get(PatientRecords);
  const removal = new PatientRemoval(patients, erasers, new TypedWordsErasure(patients, NO_ARCHIVES));
  const erasure = new PatientErasure(
    {
      ...shared,
      finder: new PatientFinder(patients),
      patients,
      removal,
      store,
      erasures: context.get(PatientErasureRepository),
      holds: context.get(LegalHolds),
    },
    leaseS,
  );
  const messages = new AgedMessages(new MessageEncryption(readSettings({})));
  const retention = new Retention({
    ...shared,
    policies: context.get(RetentionPolicies),
    images: imageErasureOver(context, store),
    patients: erasure,
    unnamed: new UnnamedResults({ ...shared, patients, removal, store }),
    messages,
    versions: new PastVersions(),
    archives: NO_ARCHIVES,
  });
  return { erasure, retention, messages };
}
