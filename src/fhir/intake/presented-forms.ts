import type { DiagnosticReport, Resource } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { ReportDocumentArchive } from '../../core/report/report-document-archive.js';
import type { KeptDocument, ReportVersionId } from '../../core/report/report-document.js';
import type { Tenant } from '../../core/tenancy/tenant.js';
import { Logger } from '../../platform/logging/logger.js';
import { isStored, type FhirAnswer } from '../call/fhir-call.js';
import { readReportBinaryId, SERVED_FORM, withDocument } from '../projection/report-document.js';

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
    const { body } = answer;
    if (body === null) return answer;
    const resource = isStored(body) ? body.resource : body;
    const named = versionsIn(resource);
    if (named.length === 0) return answer;
    const documents = await this.documentsOf(tenant, named, resource.resourceType === 'DiagnosticReport');
    const stated = withDocuments(resource, new Map(documents.map((document) => [keyOf(document), document])));
    return { ...answer, body: isStored(body) ? { ...body, resource: stated } : stated };
  }

  private async documentsOf(
    tenant: Tenant,
    named: readonly ReportVersionId[],
    isAskedAlone: boolean,
  ): Promise<readonly KeptDocument[]> {
    const kept = await this.archive.kept(tenant, named, SERVED_FORM);
    return kept.length === 0 && isAskedAlone ? this.make(tenant, named) : kept;
  }

  /** The figures of a report are worth more than the size of its document: a full store keeps nobody from reading them. */
  private async make(tenant: Tenant, named: readonly ReportVersionId[]): Promise<KeptDocument[]> {
    try {
      return await Promise.all(named.map(async (one) => (await this.archive.open(tenant, one, SERVED_FORM)).document));
    } catch (error) {
      this.logger.error('fhir.document_not_made', { reportId: named[0]!.reportId }, error);
      return [];
    }
  }
}

function keyOf({ reportId, version }: ReportVersionId): string {
  return `${reportId}-v${version}`;
}

function versionsIn(resource: Resource): ReportVersionId[] {
  if (resource.resourceType === 'DiagnosticReport')
    return (resource.presentedForm ?? []).flatMap(({ url }) => versionAt(url) ?? []);
  return innerOf(resource).flatMap(versionsIn);
}

function innerOf(resource: Resource): Resource[] {
  if (resource.resourceType === 'Bundle') return (resource.entry ?? []).flatMap((entry) => entry.resource ?? []);
  if (resource.resourceType === 'Parameters')
    return (resource.parameter ?? []).flatMap((parameter) => parameter.resource ?? []);
  return [];
}

function withDocuments<T extends Resource>(resource: T, documents: ReadonlyMap<string, KeptDocument>): T {
  if (versionsIn(resource).length === 0) return resource;
  if (resource.resourceType === 'DiagnosticReport') return inReport(resource, documents) as T;
  if (resource.resourceType === 'Bundle')
    return { ...resource, entry: resource.entry?.map((entry) => inPart(entry, documents)) };
  if (resource.resourceType === 'Parameters')
    return { ...resource, parameter: resource.parameter?.map((parameter) => inPart(parameter, documents)) };
  return resource;
}

function inPart<P extends { resource?: Resource }>(part: P, documents: ReadonlyMap<string, KeptDocument>): P {
  return part.resource === undefined ? part : { ...part, resource: withDocuments(part.resource, documents) };
}

function inReport(report: DiagnosticReport, documents: ReadonlyMap<string, KeptDocument>): DiagnosticReport {
  const forms = (report.presentedForm ?? []).map((attachment) => {
    const named = versionAt(attachment.url);
    const document = named === null ? undefined : documents.get(keyOf(named));
    return document === undefined ? attachment : withDocument(attachment, document);
  });
  return { ...report, presentedForm: forms };
}

function versionAt(url: string | undefined): ReportVersionId | null {
  return url?.startsWith(BINARY_PREFIX) === true ? readReportBinaryId(url.slice(BINARY_PREFIX.length)) : null;
}
