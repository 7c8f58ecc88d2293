import type { Outbox } from '../domain-events/outbox.js';
import { PhotoDocuments } from '../erasure/photo-documents.js';
import type { WoundRepository } from '../followup/wound.repository.js';
import type { ObjectStore } from '../images/object-store.js';
import type { ClinicalClock } from '../ports/clinical-clock.js';
import type { TenantTransaction } from '../ports/unit-of-work.js';
import type { ClinicalReport } from './clinical-report.js';
import { documentFolder, type ReportVersionId } from './report-document.js';
import type { ReportDocumentRepository } from './report-document.repository.js';
import type { ReportRepository } from './report.repository.js';

export interface ReportPhotoErasurePorts {
  readonly reports: ReportRepository;
  readonly wounds: WoundRepository;
  readonly documents: ReportDocumentRepository;
  readonly store: ObjectStore;
  readonly outbox: Outbox;
  readonly clinicalClock: ClinicalClock;
}

/** Erases a photo from the kept documents of reports. They are made anew, without it, when they are next needed. */
export class ReportPhotoErasure extends PhotoDocuments {
  constructor(private readonly ports: ReportPhotoErasurePorts) {
    super();
  }

  async erase(transaction: TenantTransaction, imageId: string): Promise<void> {
    const { documents, store } = this.ports;
    const showing = await documents.versionsShowing(transaction, imageId);
    const reportIds = [...new Set(showing.map(({ reportId }) => reportId))];
    await this.lockSeries(transaction, reportIds);
    const erased: readonly ReportVersionId[] = [...showing, ...(await documents.versionsNaming(transaction, imageId))];
    if (erased.length === 0) return;
    await documents.forgetVersions(transaction, erased);
    for (const named of erased) await store.deleteAll(documentFolder(named));
    for (const reportId of reportIds) await this.tell(transaction, reportId, imageId);
  }

  /** Always in the same order, so that two deletions do not wait for each other. */
  private async lockSeries(transaction: TenantTransaction, reportIds: readonly string[]): Promise<void> {
    const wounds = new Set<string>();
    for (const reportId of reportIds) {
      const current = await this.ports.reports.find(transaction, reportId);
      if (current !== null) wounds.add(current.woundId);
    }
    for (const woundId of [...wounds].sort()) await this.ports.wounds.lockRoot(transaction, woundId);
  }

  /** A withdrawn report is left unchanged. */
  private async tell(transaction: TenantTransaction, reportId: string, imageId: string): Promise<void> {
    const { reports, outbox, clinicalClock } = this.ports;
    const current = await reports.find(transaction, reportId);
    if (current === null || current.report.status === 'entered-in-error') return;
    const { report } = current;
    const known = report.content.erasedPhotos ?? [];
    if (known.some((one) => one.imageId === imageId)) return;
    const issuedAt = await clinicalClock.now(transaction);
    const next: ClinicalReport = {
      ...report,
      version: report.version + 1,
      reason: 'photo_erased',
      issuedAt,
      content: { ...report.content, erasedPhotos: [...known, { imageId, erasedAt: issuedAt.toISOString() }] },
    };
    await reports.append(transaction, [next]);
    await outbox.append(transaction, { kind: 'report.amended', subjectId: reportId });
  }
}
