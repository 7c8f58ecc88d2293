import { Injectable } from '@nestjs/common';
import type {
  BodyStructure,
  Bundle,
  DiagnosticReport,
  Media,
  Observation,
  Parameters,
  Resource,
} from '@medplum/fhirtypes';
import { IdSource } from '../../../core/ports/id-source.js';
import type { ReportReading } from '../../../core/report/clinical-report.js';
import { Settings } from '../../../platform/config/settings.js';
import { NL_CORE, toNlCoreWound, type WoundViewEntry, type ShownReport } from '../../../reports/index.js';
import { notPossible } from '../../../standards/fhir/outcome/outcome-error.js';
import { CANONICAL_BASE } from '../../../standards/fhir/profiles/profile-library.js';
import type { ServedType } from '../../../standards/fhir/types/type-table.js';
import { AuditedCalls } from '../audit/audited-calls.js';
import type { FhirAnswer } from '../call/fhir-call.js';
import { toPhotoDocument } from '../projection/minimal-resources.js';
import {
  FhirOperation,
  parametersOf,
  refusedParameter,
  type OperationLevel,
  type OperationRequest,
} from './fhir-operation.js';
import { ReportSurroundings } from './report-surroundings.js';

/** The profile of a wound by which the view is asked for. */
const PROFILES = [`${NL_CORE}nl-core-Wound`];
const RELATIVE = /"reference":"([A-Z][A-Za-z]+\/)/g;

/**
 * `DiagnosticReport/[id]/$wound-view?_profile=…`: the present version of a report in the form of a national standard, as a Bundle of type
 * collection. Made anew each time, and not kept.
 */
@Injectable()
export class WoundViewOperation extends FhirOperation {
  readonly name = 'wound-view';
  readonly levels: readonly OperationLevel[] = ['instance'];
  readonly types: readonly ServedType[] = ['DiagnosticReport'];
  readonly scope = 'analysis:read';
  readonly affectsState = false;
  readonly definition = `${CANONICAL_BASE}OperationDefinition/wound-view`;

  constructor(
    private readonly surroundings: ReportSurroundings,
    private readonly calls: AuditedCalls,
    private readonly ids: IdSource,
    private readonly settings: Settings,
  ) {
    super();
  }

  handle(request: OperationRequest): Promise<FhirAnswer> {
    const id = request.id!;
    requireProfile(parametersOf(request));
    return this.calls.run(request, async (call) => {
      const { transaction, base } = call;
      const { reading, report, others } = await this.surroundings.read(transaction, id);
      // The standard's own codes are of SNOMED CT.
      if (!this.settings.fhir.snomed)
        throw notPossible(
          'DiagnosticReport',
          'This view has codes of SNOMED CT, which this installation leaves out (FHIR_SNOMED).',
        );
      const bundle = this.toBundle(reading, report, others, base);
      await this.calls.record(call, '$wound-view', { resources: [bundle], references: [`DiagnosticReport/${id}`] });
      return { status: 200, body: bundle };
    });
  }

  private toBundle(
    { report: clinical, readAt }: ReportReading,
    report: DiagnosticReport,
    others: readonly Resource[],
    base: string,
  ): Bundle {
    const { subject } = report;
    if (subject === undefined)
      throw notPossible('DiagnosticReport.subject', 'A report that names no patient has no such view.');
    const address = ({ resourceType, id }: Resource): string => `${base}/${resourceType}/${id!}`;
    const shown: ShownReport = { clinical, report: { ...report, subject }, ...partsOf(report, others) };
    const entries = toNlCoreWound(shown, () => `urn:uuid:${this.ids.next()}`, address).map((entry) =>
      absolute(entry, base),
    );
    const kept = others.filter(({ resourceType }) => resourceType === 'Patient' || resourceType === 'Organization');
    return {
      resourceType: 'Bundle',
      type: 'collection',
      timestamp: readAt.toISOString(),
      entry: [...entries, ...kept.map((resource) => ({ fullUrl: address(resource), resource }))],
    };
  }
}

function requireProfile({ parameter = [] }: Parameters): void {
  const asked = parameter.find(({ name }) => name === '_profile');
  const profile = asked?.valueCanonical ?? asked?.valueUri ?? asked?.valueString;
  if (profile === undefined || !PROFILES.includes(profile))
    throw refusedParameter('_profile', `Must be one of: ${PROFILES.join(', ')}.`);
}

/** The findings of this report and its own photo, which is the first that it names. */
function partsOf(report: DiagnosticReport, others: readonly Resource[]): Omit<ShownReport, 'clinical' | 'report'> {
  const of = <T extends Resource>(type: T['resourceType']) =>
    others.filter((one): one is T => one.resourceType === type);
  const photo = of<Media>('Media').find(({ id }) => `Media/${id!}` === report.media?.[0]?.link.reference);
  const isThere = photo?.content.url !== undefined || photo?.content.data !== undefined;
  const [wound] = of<BodyStructure>('BodyStructure');
  const order = (report.result ?? []).map(({ reference }) => reference);
  const observations = of<Observation>('Observation');
  return {
    wound,
    photo: isThere ? toPhotoDocument(photo) : undefined,
    observations: order.flatMap((reference) => observations.find(({ id }) => `Observation/${id!}` === reference) ?? []),
  };
}

/** What is made here has no address by which a relative reference could be resolved. */
function absolute({ fullUrl, resource }: WoundViewEntry, base: string): WoundViewEntry {
  if (!fullUrl.startsWith('urn:')) return { fullUrl, resource };
  return {
    fullUrl,
    resource: JSON.parse(JSON.stringify(resource).replace(RELATIVE, `"reference":"${base}/$1`)) as Resource,
  };
}
