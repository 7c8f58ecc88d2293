import { Injectable } from '@nestjs/common';
import type { Bundle, BundleEntry, DiagnosticReport, Parameters, Resource } from '@medplum/fhirtypes';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { placesOf } from '../../../core/followup/series-order.js';
import { ReportRepository } from '../../../core/report/report.repository.js';
import { toAssessment } from '../../../core/report/reported-assessment.js';
import { WoundRepository } from '../../../core/followup/wound.repository.js';
import { AuditedCalls } from '../audit/audited-calls.js';
import type { FhirAnswer, FhirCall } from '../call/fhir-call.js';
import { targetOf } from '../interactions/reference-walk.js';
import { OutcomeError } from '../../../standards/fhir/outcome/outcome-error.js';
import { CANONICAL_BASE } from '../../../standards/fhir/profiles/profile-library.js';
import { dateInterval, localInterval } from '../../../core/times/date-interval.js';
import { withPlace } from '../../../standards/fhir/store/assessment-places.js';
import { ResourceStore, type ResourceTarget } from '../../../standards/fhir/store/resource-store.js';
import type { ServedType } from '../../../standards/fhir/types/type-table.js';
import { OrganizationZone } from '../search/organization-zone.js';
import { FhirOperation, parametersOf, type OperationLevel, type OperationRequest } from './fhir-operation.js';

/** A report in the series of its wound. */
interface Place {
  readonly reportId: string;
  readonly sequence: number;
}

/**
 * `BodyStructure/[id]/$history-of-wound`: the reports of one wound, oldest photo first, with what they refer to. Follows a merge: the series
 * is that of the wound which now stands. The sequence is that of this moment, as in the native timeline.
 */
@Injectable()
export class HistoryOfWoundOperation extends FhirOperation {
  readonly name = 'history-of-wound';
  readonly levels: readonly OperationLevel[] = ['instance'];
  readonly types: readonly ServedType[] = ['BodyStructure'];
  readonly scope = 'analysis:read';
  readonly affectsState = false;
  readonly definition = `${CANONICAL_BASE}OperationDefinition/wound-history`;

  constructor(
    private readonly wounds: WoundRepository,
    private readonly reports: ReportRepository,
    private readonly store: ResourceStore,
    private readonly calls: AuditedCalls,
    private readonly zones: OrganizationZone,
  ) {
    super();
  }

  handle(request: OperationRequest): Promise<FhirAnswer> {
    const id = request.id!;
    const [start, end] = [readDate(parametersOf(request), 'start'), readDate(parametersOf(request), 'end')];
    return this.calls.run(request, async (call) => {
      const zone = await this.zones.of(call.transaction);
      const places = await this.placesOf(
        call,
        id,
        start === null ? null : localInterval(start, zone)!.low,
        end === null ? null : localInterval(end, zone)!.high,
      );
      const bundle = await this.toBundle(call, places);
      await this.calls.record(call, '$history-of-wound', { resources: [bundle], references: [`BodyStructure/${id}`] });
      return { status: 200, body: bundle };
    });
  }

  private async placesOf(
    { transaction }: FhirCall,
    woundId: string,
    from: Date | null,
    until: Date | null,
  ): Promise<Place[]> {
    const [shown, asked] = [
      await this.store.find(transaction, 'BodyStructure', woundId),
      await this.wounds.find(transaction, woundId),
    ];
    if (shown === null) throw new SuturaError('fhir.not_found');
    if (asked === null) return [];
    const root = await this.wounds.rootOf(transaction, woundId);
    const series = await this.reports.figures(transaction, root.id);
    const places = placesOf(series.map(toAssessment));
    return series.flatMap(({ id, content }) => {
      const capturedAt = new Date(content.capturedAt);
      const inside = (from === null || capturedAt >= from) && (until === null || capturedAt < until);
      return inside ? [{ reportId: id, sequence: places.get(id)! }] : [];
    });
  }

  private async toBundle({ transaction, base }: FhirCall, places: readonly Place[]): Promise<Bundle> {
    const sequences = new Map(places.map(({ reportId, sequence }) => [reportId, sequence]));
    const reports = (
      await this.store.findAll(
        transaction,
        places.map(({ reportId }) => ({ type: 'DiagnosticReport', id: reportId })),
      )
    ).map(({ resource }) => withPlace(resource as DiagnosticReport, sequences.get(resource.id!)));
    const targets = reports
      .flatMap(({ result = [], media = [] }) => [...result, ...media.map(({ link }) => link)])
      .flatMap(({ reference }) => targetOf(reference ?? '') ?? []);
    const included = await this.store.findAll(transaction, distinct(targets));
    const entry =
      (mode: 'match' | 'include') =>
      (resource: Resource): BundleEntry => ({
        fullUrl: `${base}/${resource.resourceType}/${resource.id!}`,
        resource,
        search: { mode },
      });
    return {
      resourceType: 'Bundle',
      type: 'searchset',
      total: reports.length,
      ...(reports.length + included.length === 0
        ? {}
        : { entry: [...reports.map(entry('match')), ...included.map(({ resource }) => entry('include')(resource))] }),
    };
  }
}

/** The date, as valueDate of a POST or as text of the query. `request.invalid`. */
export function readDate({ parameter = [] }: Parameters, name: 'start' | 'end'): string | null {
  const found = parameter.find((one) => one.name === name);
  if (found === undefined) return null;
  const text = found.valueDate ?? found.valueDateTime ?? found.valueString ?? '';
  if (dateInterval(text) === null)
    throw new OutcomeError('request.invalid', [
      {
        severity: 'error',
        code: 'value',
        expression: `Parameters.parameter.where(name = '${name}')`,
        details: 'Must be a date, such as 2026-03-15 or 2026-03.',
      },
    ]);
  return text;
}

function distinct(targets: readonly ResourceTarget[]): ResourceTarget[] {
  return [...new Map(targets.map((target) => [`${target.type}/${target.id}`, target])).values()];
}
