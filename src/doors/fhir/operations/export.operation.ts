import { Injectable } from '@nestjs/common';
import type { ResourceType } from '@medplum/fhirtypes';
import { Clock } from '../../../core/ports/clock.js';
import { IdSource } from '../../../core/ports/id-source.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { Settings } from '../../../platform/config/settings.js';
import { AuditedCalls } from '../audit/audited-calls.js';
import type { FhirAnswer } from '../call/fhir-call.js';
import type { ExportOptions } from '../export/bulk-export.js';
import { BulkExports } from '../export/bulk-exports.js';
import { readExport } from '../export/export-request.js';
import { mayExport } from '../export/exported-types.js';
import { informationOutcome } from '../../../standards/fhir/outcome/operation-outcome.js';
import { StoredResourceSearch } from '../search/stored-resource.search.js';
import type { ServedType } from '../../../standards/fhir/types/type-table.js';
import { FhirOperation, parametersOf, type OperationLevel, type OperationRequest } from './fhir-operation.js';

const DEFINITIONS = 'http://hl7.org/fhir/uv/bulkdata/OperationDefinition/';
const MS_PER_H = 3_600_000;

/** `$export` of Bulk Data Access 2.0: takes the order, 202 with the address at which its state is asked for. The work is done behind everything else. */
@Injectable()
abstract class BulkExportOperation extends FhirOperation {
  readonly name = 'export';
  readonly scope = 'bulk:export';
  /** It may be asked for by GET, as clinical data stay as they are. */
  readonly affectsState = false;
  protected abstract readonly level: ExportOptions['level'];

  constructor(
    private readonly exports: BulkExports,
    private readonly search: StoredResourceSearch,
    private readonly calls: AuditedCalls,
    private readonly clock: Clock,
    private readonly ids: IdSource,
    private readonly settings: Settings,
  ) {
    super();
  }

  override permits(caller: Caller): boolean {
    return mayExport(caller);
  }

  async handle(request: OperationRequest): Promise<FhirAnswer> {
    const { caller, base, preferences, query } = request;
    const { ignored, ...asked } = readExport(parametersOf(request), { caller, level: this.level, preferences });
    const typed = query.toString();
    const url = `${base}${request.type === null ? '' : `/${request.type}`}/$export${typed === '' ? '' : `?${typed}`}`;
    const id = this.ids.next();
    await this.begin(request, id, { ...asked, base, url, level: this.level });
    const left = ignored.length === 0 ? '' : ` Left out: ${[...new Set(ignored)].map(plain).join(', ')}.`;
    return {
      status: 202,
      body: informationOutcome(`The export was taken. Ask for its state at Content-Location.${left}`),
      headers: { 'content-location': `${base}/$export-status/${id}` },
    };
  }

  private begin(request: OperationRequest, id: string, options: ExportOptions): Promise<void> {
    return this.calls.run(request, async (call) => {
      // Refused now rather than in the background.
      for (const { type, query } of options.filters)
        await this.search.idsAfter(call, type as ResourceType, new URLSearchParams(query), { limit: 1, after: null });
      const at = this.clock.now();
      const expiresAt = new Date(at.getTime() + this.settings.fhir.exportLifeH * MS_PER_H);
      await this.exports.begin(call.transaction, id, call.caller, { options, at, expiresAt });
      await this.calls.record(call, '$export', { query: auditedQuery(id, options) });
    });
  }
}

/** `/fhir/$export`: every resource of the tenant that the caller may read. */
@Injectable()
export class ExportOperation extends BulkExportOperation {
  readonly levels: readonly OperationLevel[] = ['system'];
  readonly types: readonly ServedType[] = [];
  readonly definition = `${DEFINITIONS}export`;
  protected readonly level = 'system';
}

/** `/fhir/Patient/$export`: Patients, and every resource that has one as its subject. */
@Injectable()
export class PatientExportOperation extends BulkExportOperation {
  readonly levels: readonly OperationLevel[] = ['type'];
  readonly types: readonly ServedType[] = ['Patient'];
  readonly definition = `${DEFINITIONS}patient-export`;
  protected readonly level = 'patient';
}

function auditedQuery(id: string, { level, types, since, filters }: ExportOptions): string {
  const query = new URLSearchParams({ export: id, level, _type: types.join(',') });
  if (since !== null) query.append('_since', since);
  // Decoded once, so that an erasure finds a patient's words in it.
  for (const { type, query: search } of filters)
    query.append('_typeFilter', `${type}?${[...new URLSearchParams(search)].map((one) => one.join('=')).join('&')}`);
  return query.toString();
}

function plain(name: string): string {
  return name.replace(/[^\w:.-]/g, '').slice(0, 64);
}
