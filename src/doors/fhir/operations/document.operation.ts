import { Injectable } from '@nestjs/common';
import { IdSource } from '../../../core/ports/id-source.js';
import { CANONICAL_BASE } from '../../../standards/fhir/profiles/profile-library.js';
import type { ServedType } from '../../../standards/fhir/types/type-table.js';
import { AuditedCalls } from '../audit/audited-calls.js';
import type { FhirAnswer } from '../call/fhir-call.js';
import { FhirOperation, type OperationLevel, type OperationRequest } from './fhir-operation.js';
import { toReportBundle } from './report-bundle.js';
import { ReportSurroundings } from './report-surroundings.js';

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
    private readonly surroundings: ReportSurroundings,
    private readonly calls: AuditedCalls,
    private readonly ids: IdSource,
  ) {
    super();
  }

  handle(request: OperationRequest): Promise<FhirAnswer> {
    const id = request.id!;
    return this.calls.run(request, async (call) => {
      const { transaction, base } = call;
      const { reading, ...shown } = await this.surroundings.read(transaction, id);
      const bundle = toReportBundle(reading, shown, {
        base,
        id: this.ids.next(),
        language: request.language ?? 'en',
      });
      await this.calls.record(call, '$document', { resources: [bundle], references: [`DiagnosticReport/${id}`] });
      return { status: 200, body: bundle };
    });
  }
}
