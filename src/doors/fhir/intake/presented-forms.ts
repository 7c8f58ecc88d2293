import type { DiagnosticReport } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { ReportDocumentArchive } from '../../../core/report/report-document-archive.js';
import type { KeptDocument } from '../../../core/report/report-document.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { Logger } from '../../../platform/logging/logger.js';
import { isStored, type FhirAnswer } from '../call/fhir-call.js';
import { readReportBinaryId, servedForm, withDocument, type ServedDocument } from '../projection/report-document.js';
import { reportsIn, withReports } from './reports-in-answer.js';

const BINARY_PREFIX = 'Binary/';

/**
 * States the size and hash of reports' documents in answers. A report that is asked for by itself has its document made for it; a list states
 * what was made before, as making hundreds would keep its reader waiting.
 */
@Injectable()
export class PresentedForms {
  constructor(
    private readonly archive: ReportDocumentArchive,
    private readonly logger: Logger,
  ) {}

  /** Outside any transaction. */
  async state(tenant: Tenant, answer: FhirAnswer): Promise<FhirAnswer> {
    const reports = reportsIn(answer);
    const named = reports.flatMap(versionsIn);
    if (named.length === 0) return answer;
    const documents = await this.documentsOf(tenant, named, isReport(answer));
    const byVersion = new Map(documents.map((document) => [keyOf(document), document]));
    return withReports(answer, (report) => inReport(report, byVersion));
  }

  private async documentsOf(
    tenant: Tenant,
    named: readonly ServedDocument[],
    isAskedAlone: boolean,
  ): Promise<readonly KeptDocument[]> {
    const languages = [...new Set(named.map(({ language }) => language))];
    const found = languages.map((language) => {
      const ofLanguage = named.filter((one) => one.language === language);
      return this.archive.kept(tenant, ofLanguage, servedForm(language));
    });
    const kept = (await Promise.all(found)).flat();
    return kept.length === 0 && isAskedAlone ? this.make(tenant, named) : kept;
  }

  /** A full store must not keep the report itself from being read. */
  private async make(tenant: Tenant, named: readonly ServedDocument[]): Promise<KeptDocument[]> {
    const open = async (one: ServedDocument) =>
      (await this.archive.open(tenant, one, servedForm(one.language))).document;
    try {
      return await Promise.all(named.map(open));
    } catch (error) {
      this.logger.error('fhir.document_not_made', { reportId: named[0]!.reportId }, error);
      return [];
    }
  }
}

function keyOf({ reportId, version, language }: Pick<KeptDocument, 'reportId' | 'version' | 'language'>): string {
  return `${reportId}-v${version}-${language}`;
}

function isReport({ body }: FhirAnswer): boolean {
  return body !== null && (isStored(body) ? body.resource : body).resourceType === 'DiagnosticReport';
}

function versionsIn({ presentedForm = [] }: DiagnosticReport): ServedDocument[] {
  return presentedForm.flatMap(({ url }) => versionAt(url) ?? []);
}

function inReport(report: DiagnosticReport, documents: ReadonlyMap<string, KeptDocument>): DiagnosticReport {
  if (versionsIn(report).length === 0) return report;
  const forms = (report.presentedForm ?? []).map((attachment) => {
    const named = versionAt(attachment.url);
    const document = named === null ? undefined : documents.get(keyOf(named));
    return document === undefined ? attachment : withDocument(attachment, document);
  });
  return { ...report, presentedForm: forms };
}

function versionAt(url: string | undefined): ServedDocument | null {
  return url?.startsWith(BINARY_PREFIX) === true ? readReportBinaryId(url.slice(BINARY_PREFIX.length)) : null;
}
