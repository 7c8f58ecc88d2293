import type { JobRequest } from '../../src/core/analysis/analysis-job.js';
import { AnalysisService } from '../../src/core/analysis/analysis.service.js';
import { ImageErasure } from '../../src/core/erasure/image-erasure.js';
import type { StorageAllowance } from '../../src/core/images/storage-allowance.js';
import { LegalHolds } from '../../src/core/erasure/legal-holds.js';
import { PhotoCopyErasers } from '../../src/core/erasure/photo-copy-erasers.js';
import { ImageService, type ImageServicePorts } from '../../src/core/images/image.service.js';
import { ClinicalClock } from '../../src/core/ports/clinical-clock.js';
import { Clock } from '../../src/core/ports/clock.js';
import { IdSource } from '../../src/core/ports/id-source.js';
import { ImageRepository } from '../../src/core/images/image.repository.js';
import { JobRepository } from '../../src/core/analysis/job.repository.js';
import type { ObjectStore } from '../../src/core/images/object-store.js';
import { OrganizationRepository } from '../../src/core/organizations/organization.repository.js';
import { Outbox } from '../../src/core/domain-events/outbox.js';
import { PatientRepository } from '../../src/core/patients/patient.repository.js';
import { QuotaLedger } from '../../src/core/organizations/quota-ledger.js';
import { UnitOfWork } from '../../src/core/ports/unit-of-work.js';
import { NODE_DIGEST } from '../../src/platform/platform.module.js';
import { StoredBirthDates } from '../../src/standards/fhir/store/stored-birth-dates.js';
import type { DatabaseContext } from './database-context.js';

/** A job request without anything optional. */
export const PLAIN_REQUEST: Omit<JobRequest, 'imageId'> = {
  clinicalContext: null,
  subject: null,
  capturedAt: null,
  mmPerPixel: null,
  clinicianObservations: null,
  priority: 'routine',
  metadata: null,
  source: 'rest',
};

/** Core's image service over a test database; `store` is what the test needs of one. */
export function imageServiceOver(context: DatabaseContext, store?: Partial<ObjectStore>): ImageService {
  const ports = {
    unitOfWork: context.get(UnitOfWork),
    images: context.get(ImageRepository),
    clock: context.get(Clock),
    ids: context.get(IdSource),
    outbox: context.get(Outbox),
    // What a picture looks like inside is not the matter here: every one is readable.
    inspector: {
      inspect: (_: unknown, format: 'jpeg' | 'png' | 'webp') =>
        Promise.resolve({ readable: true, format, widthPx: 64, heightPx: 64 }),
    },
    digest: NODE_DIGEST,
    allowance: { require: () => Promise.resolve(), note: () => undefined },
    store,
  };
  return new ImageService(ports as unknown as ImageServicePorts, { uploadLifeS: 900, maxBytes: 1_000_000 });
}

/** Core's erasure of images over a test database; `store` is what the test needs of one. */
export function imageErasureOver(context: DatabaseContext, store: Partial<ObjectStore>): ImageErasure {
  return new ImageErasure({
    unitOfWork: context.get(UnitOfWork),
    images: context.get(ImageRepository),
    jobs: context.get(JobRepository),
    outbox: context.get(Outbox),
    erasers: new PhotoCopyErasers(),
    documents: { erase: () => Promise.resolve() },
    allowance: { note: () => undefined } as unknown as StorageAllowance,
    holds: context.get(LegalHolds),
    store: store as ObjectStore,
  });
}

/** Core's analysis service over a test database. Creating a job only looks its image up; no store or decoder is asked. */
export function analysisServiceOver(context: DatabaseContext): AnalysisService {
  const ports = {
    unitOfWork: context.get(UnitOfWork),
    jobs: context.get(JobRepository),
    images: context.get(ImageRepository),
    patients: context.get(PatientRepository),
    organizations: context.get(OrganizationRepository),
    quota: context.get(QuotaLedger),
    outbox: context.get(Outbox),
    models: {
      activeModels: () => [{ name: 'test', version: '0', sha256: '', researchOnly: true }],
      installedModels: () => [],
    },
    clinicalClock: context.get(ClinicalClock),
    clock: context.get(Clock),
    ids: context.get(IdSource),
    birthDates: new StoredBirthDates(),
  };
  return new AnalysisService(ports, imageServiceOver(context), { allowResearchModel: false });
}
