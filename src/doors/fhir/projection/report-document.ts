import type { Attachment } from '@medplum/fhirtypes';
import type { ClinicalReport } from '../../../core/report/clinical-report.js';
import type { KeptDocument, ReportVersionId, WantedForm } from '../../../core/report/report-document.js';

const BINARY_ID = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})-v([1-9]\d{0,8})$/;

/** Binary id of a version of a report as PDF. */
function reportBinaryId(reportId: string, version: number): string {
  return `${reportId}-v${version}`;
}

/** The version that such an id names; null for any other id. */
export function readReportBinaryId(id: string): ReportVersionId | null {
  const found = BINARY_ID.exec(id);
  return found === null ? null : { reportId: found[1]!, version: Number(found[2]) };
}

/** The document that this door serves of a version. */
export const SERVED_FORM = { format: 'pdf', language: 'en' } as const satisfies WantedForm;

/** The report's PDF as an attachment, as it is stored. Size and hash are stated when it is served: an erasure replaces the document. */
export function reportDocument({
  id,
  version,
  issuedAt,
}: Pick<ClinicalReport, 'id' | 'version' | 'issuedAt'>): Attachment {
  return {
    contentType: 'application/pdf',
    language: SERVED_FORM.language,
    url: `Binary/${reportBinaryId(id, version)}`,
    title: 'Wound assessment report',
    creation: issuedAt.toISOString(),
  };
}

/** The attachment with the size and hash of the document. R4 states the hash as SHA-1 in base64. */
export function withDocument(attachment: Attachment, { sizeBytes, sha1 }: KeptDocument): Attachment {
  return { ...attachment, size: sizeBytes, hash: Buffer.from(sha1, 'hex').toString('base64') };
}
