import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ReportDocumentArchive } from '../../../core/report/report-document-archive.js';
import { ReportRepository } from '../../../core/report/report.repository.js';
import type { FhirCall } from '../call/fhir-call.js';
import { readReportBinaryId, servedForm } from '../projection/report-document.js';
import type { LoadBytes } from '../interactions/binary-content.js';

/** Versions of reports as PDF, made once and kept. */
@Injectable()
export class ReportBytes {
  constructor(
    private readonly archive: ReportDocumentArchive,
    private readonly reports: ReportRepository,
  ) {}

  /** null: the id is not that of a report's version. */
  async open({ transaction, caller }: FhirCall, id: string): Promise<LoadBytes | null> {
    const named = readReportBinaryId(id);
    const present = named === null ? null : await this.reports.find(transaction, named.reportId);
    if (named === null || present === null || present.report.version < named.version) return null;
    return async (held) => {
      const { document, bytes } = await (held === undefined
        ? this.archive.open(caller, named, servedForm(named.language))
        : this.archive.openIn(held, named, servedForm(named.language)));
      return {
        contentType: 'application/pdf',
        bytes: Buffer.from(bytes),
        entityTag: `"${document.sha256}"`,
        versionId: document.sha256,
        lastModified: document.madeAt,
      };
    };
  }
}

/** Strong entity tag of bytes: the same bytes, the same tag. */
export function tagOf(bytes: Uint8Array): string {
  return `"${createHash('sha256').update(bytes).digest('hex')}"`;
}
