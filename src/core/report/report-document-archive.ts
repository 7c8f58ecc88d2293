import type { Digest } from '../ports/digest.js';
import type { ImageRepository } from '../images/image.repository.js';
import { intactBytes, type ObjectStore } from '../images/object-store.js';
import type { Clock } from '../ports/clock.js';
import type { TenantTransaction, UnitOfWork } from '../ports/unit-of-work.js';
import { SuturaError } from '../errors/sutura-error.js';
import { tenantOf, type Tenant } from '../tenancy/tenant.js';
import { NO_PICTURES, type ClinicalReport } from './clinical-report.js';
import { imagesOf, type ReportPictureReader } from './report-pictures.js';
import type { ReportReader } from './report-reader.js';
import type { ReportDocumentRepository } from './report-document.repository.js';
import {
  documentKey,
  formOf,
  type DocumentForm,
  type KeptDocument,
  type Paper,
  type ReportVersionId,
  type OpenedDocument,
  type ReportDocumentRenderer,
  type WantedForm,
} from './report-document.js';

/** A kept document whose bytes the store no longer has as they were written. */
export interface LostDocument extends Tenant, ReportVersionId, Pick<KeptDocument, 'objectKey'> {}

export interface DocumentArchivePorts {
  readonly unitOfWork: UnitOfWork;
  readonly documents: ReportDocumentRepository;
  readonly images: ImageRepository;
  readonly store: ObjectStore;
  readonly renderer: ReportDocumentRenderer;
  readonly digest: Digest;
  readonly clock: Clock;
  /** The default paper. */
  readonly paper: Paper;
  readonly tell: (lost: LostDocument) => void;
}

const MEDIA_TYPES = { html: 'text/html', pdf: 'application/pdf', text: 'text/plain' } as const;
/** A photo that counts as deleted and yet has bytes in the store is not shown. */
const ATTEMPTS_WITH_PICTURES = 3;

/** `made anew`: a photo was erased meanwhile, or another process kept its document first. */
type Making = 'kept' | 'not kept' | 'made anew';

/** Runs work in a transaction: one of its own, or one that is held already. */
type Within = <T>(work: (transaction: TenantTransaction) => Promise<T>) => Promise<T>;

/**
 * One document per version and form: rendered on first use, kept, and identical for every reader. Only the erasure of a photo replaces documents that show it.
 */
export class ReportDocumentArchive {
  constructor(
    private readonly ports: DocumentArchivePorts,
    private readonly reader: ReportReader,
    private readonly pictures: ReportPictureReader,
  ) {}

  /** Kept, or made now and kept. `report.not_found`, `service.storage_full`, `service.unavailable`. */
  open(tenant: Tenant, named: ReportVersionId, wanted: WantedForm): Promise<OpenedDocument> {
    return this.openWithin((work) => this.ports.unitOfWork.inTenant(tenant, work), tenant, named, wanted);
  }

  /** As open for a caller that holds a transaction: a second connection beside it might never come. */
  openIn(transaction: TenantTransaction, named: ReportVersionId, wanted: WantedForm): Promise<OpenedDocument> {
    return this.openWithin((work) => work(transaction), transaction.tenant, named, wanted);
  }

  /** Those of the versions that are kept in this form. */
  kept(tenant: Tenant, named: readonly ReportVersionId[], wanted: WantedForm): Promise<KeptDocument[]> {
    if (named.length === 0) return Promise.resolve([]);
    const form = formOf(wanted, this.ports.paper);
    return this.ports.unitOfWork.inTenant(tenant, (transaction) =>
      this.ports.documents.findAll(transaction, named, form),
    );
  }

  private async openWithin(
    within: Within,
    tenant: Tenant,
    named: ReportVersionId,
    wanted: WantedForm,
  ): Promise<OpenedDocument> {
    const form = formOf(wanted, this.ports.paper);
    for (let attempt = 1; ; attempt += 1) {
      const document = await within((transaction) => this.ports.documents.find(transaction, named, form));
      const opened =
        document === null
          ? await this.make(within, named, form, attempt <= ATTEMPTS_WITH_PICTURES)
          : await this.load(within, tenant, document);
      if (opened !== null) return opened;
    }
  }

  /** null: the bytes are gone, and the document is to be made anew. */
  private async load(within: Within, tenant: Tenant, document: KeptDocument): Promise<OpenedDocument | null> {
    const bytes = await intactBytes(this.ports.store, document.objectKey);
    if (bytes !== null && this.ports.digest.sha256(bytes) === document.sha256) return { document, bytes, isKept: true };
    // An erasure takes the row as well; where the row still stands, the store lost the bytes.
    const stands = await within((transaction) => this.ports.documents.forget(transaction, document));
    if (stands) this.ports.tell({ ...tenantOf(tenant), ...document });
    return null;
  }

  /** null: a photo was erased, or another process kept its document first. */
  private async make(
    within: Within,
    named: ReportVersionId,
    form: DocumentForm,
    withPictures: boolean,
  ): Promise<OpenedDocument | null> {
    const reading = await within((transaction) => this.reader.readVersionIn(transaction, named));
    if (reading === null) throw new SuturaError('report.not_found');
    // Plain text shows no pictures, and reading photos costs.
    const draw =
      form.format === 'text' || !withPictures
        ? null
        : await within((transaction) => this.pictures.prepare(transaction, reading.report));
    const pictures = draw === null ? NO_PICTURES : await draw();
    const bytes = await this.ports.renderer.render(reading, pictures, form);
    const document: KeptDocument = {
      reportId: named.reportId,
      version: named.version,
      ...form,
      sizeBytes: bytes.length,
      sha1: this.ports.digest.sha1(bytes),
      sha256: this.ports.digest.sha256(bytes),
      imageIds: imagesOf(pictures).sort(),
      objectKey: documentKey(named, form),
      madeAt: this.ports.clock.now(),
    };
    const lacksPhoto = draw !== null && !document.imageIds.includes(reading.report.imageId);
    const outcome = await within(async (transaction) =>
      lacksPhoto && (await this.shouldHave(transaction, reading.report))
        ? 'not kept'
        : this.keep(transaction, document, bytes),
    );
    return outcome === 'made anew' ? null : { document, bytes, isKept: outcome === 'kept' };
  }

  /** The store lost the photo: the document is served, and not kept, so that it has its photo once that is there again. */
  private async shouldHave(transaction: TenantTransaction, { imageId }: ClinicalReport): Promise<boolean> {
    return (await this.ports.images.findForUse(transaction, imageId))?.status === 'stored';
  }

  /** The photos are held until the document is kept: an erasure comes before, and is seen here, or after, and finds the document. */
  private async keep(transaction: TenantTransaction, document: KeptDocument, bytes: Uint8Array): Promise<Making> {
    for (const imageId of document.imageIds) {
      if ((await this.ports.images.findForUse(transaction, imageId))?.status !== 'stored') return 'made anew';
    }
    if (!(await this.ports.documents.insert(transaction, document))) return 'made anew';
    await this.ports.store.put(document.objectKey, bytes, MEDIA_TYPES[document.format]);
    return 'kept';
  }
}
