import type { TenantTransaction } from '../ports/unit-of-work.js';
import type { DocumentForm, KeptDocument, ReportVersionId } from './report-document.js';

/** Which documents were made, and where their bytes lie. */
export abstract class ReportDocumentRepository {
  abstract find(
    transaction: TenantTransaction,
    named: ReportVersionId,
    form: DocumentForm,
  ): Promise<KeptDocument | null>;
  /** Those of the versions that were made in this form. */
  abstract findAll(
    transaction: TenantTransaction,
    named: readonly ReportVersionId[],
    form: DocumentForm,
  ): Promise<KeptDocument[]>;
  /** False where there is one already: nothing was written. Waits for another transaction that is about to write the same. */
  abstract insert(transaction: TenantTransaction, document: KeptDocument): Promise<boolean>;
  /** Forgets a document whose bytes are lost. False where it stands no more; another one in its place stays. */
  abstract forget(transaction: TenantTransaction, document: KeptDocument): Promise<boolean>;
  /** Every version of the image's own reports, and those of which a document shows it. */
  abstract versionsShowing(transaction: TenantTransaction, imageId: string): Promise<ReportVersionId[]>;
  /** Versions that name the image and have no document with pictures. A process that ended while it made one may have left bytes. */
  abstract versionsNaming(transaction: TenantTransaction, imageId: string): Promise<ReportVersionId[]>;
  /** Forgets every document of these versions. */
  abstract forgetVersions(transaction: TenantTransaction, named: readonly ReportVersionId[]): Promise<void>;
}
