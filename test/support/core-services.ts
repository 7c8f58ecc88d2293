import type { JobRequest } from '../../src/core/analysis/analysis-job.js';
import { AnalysisService } from '../../src/core/analysis/analysis.service.js';
import { PhotoKeepers } from '../../src/core/images/photo-keepers.js';
import { ImageService, type ImageServicePorts } from '../../src/core/images/image.service.js';
import { Clock } from '../../src/core/ports/clock.js';
import { IdSource } from '../../src/core/ports/id-source.js';
import { ImageRepository } from '../../src/core/ports/image.repository.js';
import { JobRepository } from '../../src/core/ports/job.repository.js';
import type { ObjectStore } from '../../src/core/ports/object-store.js';
import { OrganizationRepository } from '../../src/core/ports/organization.repository.js';
import { Outbox } from '../../src/core/ports/outbox.js';
import { PatientRepository } from '../../src/core/ports/patient.repository.js';
import { QuotaLedger } from '../../src/core/ports/quota-ledger.js';
import { UnitOfWork } from '../../src/core/ports/unit-of-work.js';
import { NODE_DIGEST } from '../../src/platform/platform.module.js';
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
    jobs: context.get(JobRepository),
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
    keepers: new PhotoKeepers(),
    allowance: { require: () => Promise.resolve(), note: () => undefined },
    store,
  };
  return new ImageService(ports as unknown as ImageServicePorts, { uploadLifeS: 900, maxBytes: 1_000_000 });
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
    clock: context.get(Clock),
    ids: context.get(IdSource),
  };
  return new AnalysisService(
    ports,
    imageServiceOver(context),
    { summarise: () => Promise.resolve(null) },
    { allowResearchModel: false },
  );
}
