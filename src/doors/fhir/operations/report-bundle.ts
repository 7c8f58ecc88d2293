import type {
  Bundle,
  BundleEntry,
  Composition,
  DiagnosticReport,
  Identifier,
  Reference,
  Resource,
} from '@medplum/fhirtypes';
import type { ReportReading } from '../../../core/report/clinical-report.js';
import type { ReportStatus } from '../../../core/report/report-status.js';
import { isSigned } from '../../../core/report/wound-evidence.js';
import { OBSERVABLE, reportNarratives, reportTitle, type Language } from '../../../reports/index.js';

/** The resources that the document holds beside its Composition. */
export interface ReportResourcesShown {
  readonly report: DiagnosticReport;
  /** What the report and its findings refer to, each once. */
  readonly others: readonly Resource[];
}

/** R4's Composition has no `corrected`: a correction amends. */
const STATUS: Readonly<Record<ReportStatus, Composition['status']>> = {
  preliminary: 'preliminary',
  final: 'final',
  amended: 'amended',
  corrected: 'amended',
  'entered-in-error': 'entered-in-error',
};

/** One version of a report as a document as R4 has it (documents.html): the Composition first, and every resource that it refers to. */
export function toReportBundle(
  reading: ReportReading,
  { report, others }: ReportResourcesShown,
  { base, id, language }: { readonly base: string; readonly id: string; readonly language: Language },
): Bundle {
  const address = (resource: Resource) => `${base}/${resource.resourceType}/${resource.id!}`;
  const refer = (resource: Resource): Reference => ({ reference: address(resource) });
  const of = (type: Resource['resourceType']) => others.filter(({ resourceType }) => resourceType === type);
  const authors = of('Organization').map(refer);
  // The visit of an earlier photo may be among the others, too.
  const named = (reference: Reference | undefined) =>
    others.filter(({ resourceType, id: known }) => `${resourceType}/${known!}` === reference?.reference).map(refer);
  const [[subject], [encounter]] = [named(report.subject), named(report.encounter)];
  const { issuedAt, status } = reading.report;
  const [worth, ...told] = reportNarratives(reading, language);
  const composition = {
    resourceType: 'Composition',
    id,
    language,
    identifier: uuidOf(reading.report.id),
    status: STATUS[status],
    type: { coding: [{ ...OBSERVABLE.panel }], text: reportTitle(language) },
    ...(subject === undefined ? {} : { subject }),
    ...(encounter === undefined ? {} : { encounter }),
    date: issuedAt.toISOString(),
    author: authors.length > 0 ? authors : [{ display: 'Sutura' }],
    title: reportTitle(language),
    ...attesterOf(reading),
    ...replacedBy(reading),
    section: [
      // The report with all its findings and photos stands at its head; the sections after it say the same in words.
      { ...toSection(worth!), entry: [refer(report), ...of('Observation').map(refer), ...of('Media').map(refer)] },
      ...told.map(toSection),
    ],
  } as Composition;
  const entries: BundleEntry[] = [report, ...others].map((resource) => ({ fullUrl: address(resource), resource }));
  return {
    resourceType: 'Bundle',
    identifier: uuidOf(id),
    type: 'document',
    timestamp: reading.readAt.toISOString(),
    entry: [{ fullUrl: `urn:uuid:${id}`, resource: composition }, ...entries],
  };
}

/** All versions of a report have this number as documents; each reading of one has another beside it, that of its Bundle. */
function uuidOf(id: string): Identifier {
  return { system: 'urn:ietf:rfc:3986', value: `urn:uuid:${id}` };
}

/** The report of the same photo in whose place this one stands. */
function replacedBy({ report }: ReportReading): Pick<Composition, 'relatesTo'> {
  const replaced = report.content.comparison.supersedes ?? report.replaces;
  return replaced === null ? {} : { relatesTo: [{ code: 'replaces', targetIdentifier: uuidOf(replaced) }] };
}

function toSection({ title, div }: { readonly title: string; readonly div: string }) {
  return { title, text: { status: 'generated' as const, div } };
}

/** Who signed this version; nobody where no person confirmed it. */
function attesterOf({ report }: ReportReading): Pick<Composition, 'attester'> {
  if (!isSigned(report)) return {};
  const { reviewer, reviewedAt } = report.content.review!;
  const { id, name, system } = reviewer;
  const party = { identifier: { ...(system === undefined ? {} : { system }), value: id }, display: name };
  return { attester: [{ mode: 'professional', time: reviewedAt, party }] };
}
