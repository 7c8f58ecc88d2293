import { Injectable } from '@nestjs/common';
import type { BodyStructure, DiagnosticReport, Resource } from '@medplum/fhirtypes';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { IdSource } from '../../../core/ports/id-source.js';
import { WoundEvidenceReader } from '../../../core/report/wound-evidence-reader.js';
import { localInterval } from '../../../core/times/date-interval.js';
import { CANONICAL_BASE } from '../../../standards/fhir/profiles/profile-library.js';
import { ResourceStore, type ResourceTarget } from '../../../standards/fhir/store/resource-store.js';
import type { ServedType } from '../../../standards/fhir/types/type-table.js';
import { AuditedCalls } from '../audit/audited-calls.js';
import type { FhirAnswer, FhirCall } from '../call/fhir-call.js';
import { targetOf } from '../interactions/reference-walk.js';
import { OrganizationZone } from '../search/organization-zone.js';
import { toEvidenceDocument, type EvidenceResources } from './evidence-document.js';
import { FhirOperation, parametersOf, type OperationLevel, type OperationRequest } from './fhir-operation.js';
import { readDate } from './history-of-wound.operation.js';

/**
 * `BodyStructure/[id]/$evidence`: what is known of a wound from one day to another, both included, and what is missing, as a document
 * (Bundle with a Composition). Four weeks up to now where no day is stated. Made anew each time, and not kept.
 */
@Injectable()
export class EvidenceOperation extends FhirOperation {
  readonly name = 'evidence';
  readonly levels: readonly OperationLevel[] = ['instance'];
  readonly types: readonly ServedType[] = ['BodyStructure'];
  readonly scope = 'analysis:read';
  readonly affectsState = false;
  readonly definition = `${CANONICAL_BASE}OperationDefinition/wound-evidence`;

  constructor(
    private readonly reader: WoundEvidenceReader,
    private readonly store: ResourceStore,
    private readonly calls: AuditedCalls,
    private readonly zones: OrganizationZone,
    private readonly ids: IdSource,
  ) {
    super();
  }

  handle(request: OperationRequest): Promise<FhirAnswer> {
    const id = request.id!;
    const asked = parametersOf(request);
    const [start, end] = [readDate(asked, 'start'), readDate(asked, 'end')];
    return this.calls.run(request, async (call) => {
      const { transaction, base } = call;
      const shown = await this.store.find(transaction, 'BodyStructure', id);
      if (shown === null) throw new SuturaError('fhir.not_found');
      const zone = await this.zones.of(transaction);
      const evidence = await this.reader.readIn(transaction, id, {
        from: start === null ? null : localInterval(start, zone)!.low,
        to: end === null ? null : lastMomentOf(localInterval(end, zone)!.high),
      });
      const resources = await this.resourcesOf(
        call,
        [evidence.subject.woundRef, id],
        evidence.reports.map((report) => report.id),
      );
      const place = { base, id: this.ids.next(), language: request.language ?? 'en' };
      const bundle = toEvidenceDocument(evidence, resources, place);
      await this.calls.record(call, '$evidence', { resources: [bundle], references: [`BodyStructure/${id}`] });
      return { status: 200, body: bundle };
    });
  }

  /** The wound that stands, the reports, and what both refer to. */
  private async resourcesOf(
    { transaction }: FhirCall,
    [standing, asked]: readonly [string, string],
    reportIds: readonly string[],
  ): Promise<EvidenceResources> {
    const find = async (targets: readonly ResourceTarget[]): Promise<Resource[]> =>
      (await this.store.findAll(transaction, targets)).map(({ resource }) => resource);
    const reports = (await find(reportIds.map((id) => ({ type: 'DiagnosticReport', id })))) as DiagnosticReport[];
    const wounds = await find(distinct([standing, asked].map((id) => ({ type: 'BodyStructure', id }))));
    const wound = (wounds.find(({ id }) => id === standing) ?? wounds[0]) as BodyStructure;
    const references = [
      wound.patient.reference,
      ...reports.flatMap(({ result = [], media = [], performer = [] }) =>
        [...result, ...media.map(({ link }) => link), ...performer].map(({ reference }) => reference),
      ),
    ];
    const targets = distinct(references.flatMap((reference) => targetOf(reference ?? '') ?? []));
    return { reports, others: [wound, ...(await find(targets))] };
  }
}

/** The end of a day is the beginning of the next, which is no part of the period. */
function lastMomentOf(high: Date): Date {
  return new Date(high.getTime() - 1);
}

function distinct(targets: readonly ResourceTarget[]): ResourceTarget[] {
  return [...new Map(targets.map((target) => [`${target.type}/${target.id}`, target])).values()];
}
