import { Injectable } from '@nestjs/common';
import type { DiagnosticReport, Resource } from '@medplum/fhirtypes';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { IdSource } from '../../../core/ports/id-source.js';
import { ReportReader } from '../../../core/report/report-reader.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { CANONICAL_BASE } from '../../../standards/fhir/profiles/profile-library.js';
import { ResourceStore } from '../../../standards/fhir/store/resource-store.js';
import type { ServedType } from '../../../standards/fhir/types/type-table.js';
import { AuditedCalls } from '../audit/audited-calls.js';
import type { FhirAnswer } from '../call/fhir-call.js';
import { referencesOf, targetOf } from '../interactions/reference-walk.js';
import { FhirOperation, type OperationLevel, type OperationRequest } from './fhir-operation.js';
import { toReportBundle } from './report-bundle.js';

/** What is followed from a report and its findings; other reports, orders and tasks are not part of the document. */
const FOLLOWED: readonly string[] = [
  'Patient',
  'Encounter',
  'Organization',
  'Practitioner',
  'PractitionerRole',
  'Device',
  'BodyStructure',
];
/** What belongs to the report itself. */
const OWN: readonly string[] = ['Observation', 'Media'];

/**
 * `DiagnosticReport/[id]/$document`: the present version of a report as a document (Bundle with a Composition), with its findings, photos and
 * whom and what they are about; its narrative says what the paper says, in the reader's language. Made anew each time, and not kept.
 */
@Injectable()
export class DocumentOperation extends FhirOperation {
  readonly name = 'document';
  readonly levels: readonly OperationLevel[] = ['instance'];
  readonly types: readonly ServedType[] = ['DiagnosticReport'];
  readonly scope = 'analysis:read';
  readonly affectsState = false;
  readonly definition = `${CANONICAL_BASE}OperationDefinition/report-document`;

  constructor(
    private readonly reader: ReportReader,
    private readonly store: ResourceStore,
    private readonly calls: AuditedCalls,
    private readonly ids: IdSource,
  ) {
    super();
  }

  handle(request: OperationRequest): Promise<FhirAnswer> {
    const id = request.id!;
    return this.calls.run(request, async (call) => {
      const { transaction, base } = call;
      const stored = await this.store.find(transaction, 'DiagnosticReport', id);
      // The words are those of the version that the resources are of, also while a newer one is being written.
      const reading =
        stored === null
          ? null
          : await this.reader.readVersionIn(transaction, { reportId: id, version: stored.version });
      if (stored === null || reading === null) throw new SuturaError('fhir.not_found');
      const report = stored.resource as DiagnosticReport;
      const shown = { report, others: await this.othersOf(transaction, report) };
      const bundle = toReportBundle(reading, shown, {
        base,
        id: this.ids.next(),
        language: request.language ?? 'en',
      });
      await this.calls.record(call, '$document', { resources: [bundle], references: [`DiagnosticReport/${id}`] });
      return { status: 200, body: bundle };
    });
  }

  /** Findings and photos of the report, then the persons, places and devices that it and they name. */
  private async othersOf(transaction: TenantTransaction, report: DiagnosticReport): Promise<Resource[]> {
    const own = await this.find(transaction, [report], OWN);
    const around = await this.find(transaction, [report, ...own], FOLLOWED);
    // Nobody else's name leaves with it, whatever an earlier photo refers to.
    const ofThis = around.filter(
      ({ resourceType, id }) => resourceType !== 'Patient' || `Patient/${id!}` === report.subject?.reference,
    );
    return [...ofThis, ...own];
  }

  private async find(
    transaction: TenantTransaction,
    from: readonly Resource[],
    types: readonly string[],
  ): Promise<Resource[]> {
    const targets = from
      .flatMap(referencesOf)
      .flatMap(({ reference }) => targetOf(reference) ?? [])
      .filter(({ type }) => types.includes(type));
    const distinct = new Map(targets.map((target) => [`${target.type}/${target.id}`, target]));
    return (await this.store.findAll(transaction, [...distinct.values()])).map(({ resource }) => resource);
  }
}
