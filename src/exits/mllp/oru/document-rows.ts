import type { ImageFormat } from '../../../core/images/image.js';
import type { ClinicalReport } from '../../../core/report/clinical-report.js';
import { base64Of } from '../../../standards/hl7v2/er7/stored-file.js';
import type { CodedValue } from '../../../standards/hl7v2/er7/message-writer.js';
import { METHOD, ROW } from '../settings/local-codes.js';
import type { ResultRow, RowValue } from './result-row.js';

/** A file of a result: its bytes, a token in the place of their Base64, or its URL. */
export type AttachedFile = { readonly bytes: Uint8Array } | { readonly token: string } | { readonly url: string };

/** The report as PDF. `pdfType`: ED-2 and ED-3 as the destination expects them. */
export function toDocumentRow(report: ClinicalReport, file: AttachedFile, pdfType: string): ResultRow {
  const [type = 'AP', subtype = 'PDF'] = pdfType.split('^');
  const { findings, review } = report.content;
  const byPerson = findings.outlineSource === 'reviewer_contour';
  const row = rowOf(ROW.document, valueOf(file, [type, subtype]));
  if (!byPerson) return { ...row, observed: review?.decision === 'accept' || review?.decision === 'correct' };
  return {
    ...row,
    method: METHOD.outlined,
    analysedAt: review === null ? null : new Date(review.reviewedAt),
    observed: true,
  };
}

/** The photo as received. */
export function toPhotoRow(file: AttachedFile, format: ImageFormat): ResultRow {
  return rowOf(ROW.photo, valueOf(file, ['IM', format.toUpperCase()]));
}

function valueOf(file: AttachedFile, kind: readonly [string, string]): RowValue {
  if ('url' in file) return { type: 'RP', kind, url: file.url };
  return { type: 'ED', kind, base64: 'token' in file ? file.token : base64Of(file.bytes) };
}

function rowOf(code: CodedValue, value: RowValue): ResultRow {
  return {
    code,
    subId: '1',
    type: value.type,
    value,
    unit: null,
    interpretation: '',
    method: null,
    model: null,
    analysedAt: null,
    observed: false,
  };
}
