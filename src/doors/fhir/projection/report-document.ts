import type { Attachment } from '@medplum/fhirtypes';
import type { ClinicalReport } from '../../../core/report/clinical-report.js';
import type { KeptDocument, ReportVersionId, WantedForm } from '../../../core/report/report-document.js';
import { LANGUAGES, reportTitle, type Language } from '../../../reports/index.js';

/** The language that resources are stored in. */
export const STORED_LANGUAGE: Language = 'en';

/** A version of a report as PDF in one language. */
export interface ServedDocument extends ReportVersionId {
  readonly language: Language;
}

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const OTHERS = LANGUAGES.filter((language) => language !== STORED_LANGUAGE);
const BINARY_ID = new RegExp(`^(${UUID})-v([1-9]\\d{0,8})(?:-(${OTHERS.join('|')}))?$`);

/** Binary id of a version of a report as PDF; its language stands in it, but for the one that is stored. */
function reportBinaryId(reportId: string, version: number, language: Language): string {
  return `${reportId}-v${version}${language === STORED_LANGUAGE ? '' : `-${language}`}`;
}

/** The document that such an id names; null for any other id. */
export function readReportBinaryId(id: string): ServedDocument | null {
  const found = BINARY_ID.exec(id);
  if (found === null) return null;
  const language = OTHERS.find((each) => each === found[3]) ?? STORED_LANGUAGE;
  return { reportId: found[1]!, version: Number(found[2]), language };
}

/** The form that this door serves of a version. */
export function servedForm(language: Language): WantedForm {
  return { format: 'pdf', language };
}

/** The report's PDF as an attachment, as it is stored. Size and hash are stated when it is served: an erasure replaces the document. */
export function reportDocument(
  { id, version, issuedAt }: Pick<ClinicalReport, 'id' | 'version' | 'issuedAt'>,
  language: Language = STORED_LANGUAGE,
): Attachment {
  return {
    contentType: 'application/pdf',
    language,
    url: `Binary/${reportBinaryId(id, version, language)}`,
    title: reportTitle(language),
    creation: issuedAt.toISOString(),
  };
}

/** The attachment with the size and hash of the document. R4 states the hash as SHA-1 in base64. */
export function withDocument(attachment: Attachment, { sizeBytes, sha1 }: KeptDocument): Attachment {
  return { ...attachment, size: sizeBytes, hash: Buffer.from(sha1, 'hex').toString('base64') };
}
