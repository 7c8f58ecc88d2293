import type { Attachment } from '@medplum/fhirtypes';
import type { ClinicalReport } from '../../core/report/clinical-report.js';

const BINARY_ID = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})-v([1-9]\d{0,8})$/;

/** Binary id of a version of a report as PDF. */
function reportBinaryId(reportId: string, version: number): string {
  return `${reportId}-v${version}`;
}

/** The report and version that such an id names; null for any other id. */
export function readReportBinaryId(id: string): { readonly reportId: string; readonly version: number } | null {
  const found = BINARY_ID.exec(id);
  return found === null ? null : { reportId: found[1]!, version: Number(found[2]) };
}

/** The report's PDF as an attachment. It is set when it is read, so neither its size nor its hash is known before. */
export function reportDocument({
  id,
  version,
  issuedAt,
}: Pick<ClinicalReport, 'id' | 'version' | 'issuedAt'>): Attachment {
  return {
    contentType: 'application/pdf',
    language: 'en',
    url: `Binary/${reportBinaryId(id, version)}`,
    title: 'Wound assessment report',
    creation: issuedAt.toISOString(),
  };
}
