import type { ReportFormat } from '../../../core/report/report-document.js';
import { REPORT_PAGE_POLICY } from '../../../reports/index.js';
import type { ReportMediaType } from './representation.js';

export interface DocumentType {
  readonly format: ReportFormat;
  readonly contentType: string;
  readonly extension: string;
  /** Content-Security-Policy, where the page needs another than every answer has. */
  readonly policy?: string;
}

export const DOCUMENT_TYPES: Readonly<Record<Exclude<ReportMediaType, 'application/json'>, DocumentType>> = {
  'text/html': {
    format: 'html',
    contentType: 'text/html; charset=utf-8',
    extension: 'html',
    policy: REPORT_PAGE_POLICY,
  },
  'application/pdf': { format: 'pdf', contentType: 'application/pdf', extension: 'pdf' },
  'text/plain': { format: 'text', contentType: 'text/plain; charset=utf-8', extension: 'txt' },
};
/** An answer in one of several representations. */
export const VARY = { vary: 'Accept, Accept-Language' };

export function documentHeaders(
  { contentType, extension, policy }: DocumentType,
  name: string,
  language: string,
): Record<string, string> {
  return {
    ...VARY,
    'content-type': contentType,
    'content-language': language,
    'content-disposition': `inline; filename="${name}.${extension}"`,
    ...(policy === undefined ? {} : { 'content-security-policy': policy }),
  };
}
