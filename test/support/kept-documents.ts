import { PictureRenderer } from '../../src/core/analysis/picture-renderer.js';
import type { DrawnPicture, PhotoView } from '../../src/core/analysis/photo-view.js';
import { ImageErasure } from '../../src/core/erasure/image-erasure.js';
import { LegalHolds } from '../../src/core/erasure/legal-holds.js';
import { PhotoCopyErasers } from '../../src/core/erasure/photo-copy-erasers.js';
import { WoundRepository } from '../../src/core/followup/wound.repository.js';
import { imageFolder } from '../../src/core/images/image.js';
import { ImageRepository } from '../../src/core/images/image.repository.js';
import type { ObjectStore } from '../../src/core/images/object-store.js';
import type { StorageAllowance } from '../../src/core/images/storage-allowance.js';
import { JobRepository } from '../../src/core/analysis/job.repository.js';
import { Outbox } from '../../src/core/domain-events/outbox.js';
import { ClinicalClock } from '../../src/core/ports/clinical-clock.js';
import { Clock } from '../../src/core/ports/clock.js';
import { UnitOfWork } from '../../src/core/ports/unit-of-work.js';
import type { ReportPictures, ReportReading } from '../../src/core/report/clinical-report.js';
import { ReportDocumentArchive, type LostDocument } from '../../src/core/report/report-document-archive.js';
import { ReportDocumentRenderer } from '../../src/core/report/report-document.js';
import { ReportDocumentRepository } from '../../src/core/report/report-document.repository.js';
import { ReportPhotoErasure } from '../../src/core/report/report-photo-erasure.js';
import { ReportPictureReader } from '../../src/core/report/report-pictures.js';
import type { ReportReader } from '../../src/core/report/report-reader.js';
import { ReportRepository } from '../../src/core/report/report.repository.js';
import type { Tenant } from '../../src/core/tenancy/tenant.js';
import { NODE_DIGEST } from '../../src/platform/platform.module.js';
import type { DatabaseContext } from './database-context.js';
import { MemoryStore } from './memory-store.js';

/** A picture is the photo's own bytes. */
export class PlainPictures extends PictureRenderer {
  draw(photo: Uint8Array, views: readonly PhotoView[]): Promise<DrawnPicture[]> {
    return Promise.resolve(views.map(() => ({ bytes: photo, widthPx: 8, heightPx: 8 })));
  }
}

/** Longer than the room that a message with a low limit has. */
const PADDING = ' '.repeat(8000);

/** A document says when it was set, what was erased, and holds the bytes of its pictures. No two are the same. */
export class CountedDocuments extends ReportDocumentRenderer {
  made = 0;
  /** Waited for before a document is done. */
  hold: () => Promise<void> = () => Promise.resolve();

  async render({ report }: ReportReading, { overview, compared }: ReportPictures): Promise<Uint8Array> {
    this.made += 1;
    const text = [
      `document ${this.made} of version ${report.version}`,
      `erased ${(report.content.erasedPhotos ?? []).map(({ imageId }) => imageId).join(' ')}`,
      ...[overview, ...compared.map(({ picture }) => picture)].map((picture) =>
        Buffer.from(picture?.bytes ?? []).toString(),
      ),
      PADDING,
    ].join('\n');
    await this.hold();
    return Buffer.from(text);
  }
}

/** The archive of documents, and the erasure of photos from it, over a test database and a store in memory. */
export class KeptDocumentsContext {
  readonly documents = new CountedDocuments();
  readonly lost: LostDocument[] = [];
  readonly archive: ReportDocumentArchive;
  readonly erasure: ImageErasure;

  constructor(
    database: DatabaseContext,
    reader: ReportReader,
    readonly store = new MemoryStore(),
  ) {
    const ports = {
      unitOfWork: database.get(UnitOfWork),
      documents: database.get(ReportDocumentRepository),
      images: database.get(ImageRepository),
      reports: database.get(ReportRepository),
      wounds: database.get(WoundRepository),
      jobs: database.get(JobRepository),
      outbox: database.get(Outbox),
      clinicalClock: database.get(ClinicalClock),
      clock: database.get(Clock),
      store: store as unknown as ObjectStore,
    };
    const pictures = new ReportPictureReader({ ...ports, renderer: new PlainPictures() });
    this.archive = new ReportDocumentArchive(
      { ...ports, renderer: this.documents, digest: NODE_DIGEST, paper: 'a4', tell: (lost) => this.lost.push(lost) },
      reader,
      pictures,
    );
    this.erasure = new ImageErasure({
      ...ports,
      erasers: new PhotoCopyErasers(),
      documents: new ReportPhotoErasure(ports),
      allowance: { note: () => undefined } as unknown as StorageAllowance,
      holds: database.get(LegalHolds),
    });
  }

  /** Puts a photo's bytes in the store; they name the image. */
  async keepPhoto(imageId: string): Promise<void> {
    await this.store.put(`${imageFolder(imageId)}original`, Buffer.from(photoOf(imageId)));
  }

  erase(tenant: Tenant, imageId: string): Promise<void> {
    return this.erasure.erase(tenant, imageId);
  }

  /** The objects that hold this photo, or a picture of it. */
  placesOf(imageId: string): string[] {
    return [...this.store.objects]
      .filter(([, bytes]) => Buffer.from(bytes).includes(photoOf(imageId)))
      .map(([key]) => key)
      .sort();
  }
}

function photoOf(imageId: string): string {
  return `photo ${imageId}`;
}
