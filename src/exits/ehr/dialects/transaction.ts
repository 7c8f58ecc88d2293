import type { DiagnosticReport, Observation, Resource } from '@medplum/fhirtypes';
import type { PushContent } from '../../../core/ehrs/ehr.js';
import { filesInOne } from '../../../core/ehrs/filed-terms.js';
import type { ClinicalReport } from '../../../core/report/clinical-report.js';
import { toReportResources } from '../../../reports/index.js';
import {
  FILED_SYSTEM,
  filedValue,
  isWithdrawn,
  replacedDocument,
  standingOf,
  withdrawAll,
  withNamesBefore,
  type Dialect,
  type FiledPart,
  type FiledResource,
  type Filing,
  type FilingFacts,
  type Write,
} from './filing.js';
import { stableId } from '../settings/stable-id.js';
import { foreignForm } from './foreign-form.js';
import { byIdentifier } from './looks.js';
import { replacing, SOFTWARE_AUTHOR, toDocument } from './note-document.js';
import { unitFaults } from './settings-faults.js';
import { PROGRESS_NOTE } from './us-core-note.js';

const RULES = { type: PROGRESS_NOTE, author: SOFTWARE_AUTHOR, withReviewer: true };

/** Servers that take everything in one transaction, such as HAPI, Medplum or Firely: all of a version is filed, or nothing. */
export const TRANSACTION: Dialect = {
  partsOf: () => ['bundle'],
  filingOf: (_part, facts) => {
    const writes = [...documentWrites(facts), ...figureWrites(facts)];
    return writes.length === 0 ? { kind: 'nothing' } : ({ kind: 'transaction', writes } satisfies Filing);
  },
  faultsOf: (settings) => unitFaults(settings),
  needsOf: ({ send, encounterRule }) => [
    { interaction: 'transaction' },
    { type: 'Patient', interaction: 'search-type' },
    ...(encounterRule === 'none' ? [] : [{ type: 'Encounter', interaction: 'search-type' } as const]),
    ...(['create', 'update', 'search-type', 'conditional-create'] as const).flatMap((interaction) => [
      ...(send.includes('pdf') ? [{ type: 'DocumentReference', interaction } as const] : []),
      ...(send.includes('observations') ? [{ type: 'Observation', interaction } as const] : []),
      ...(send.includes('diagnostic-report') ? [{ type: 'DiagnosticReport', interaction } as const] : []),
    ]),
  ],
  withdrawsBy: 'status',
  isBundled: filesInOne('transaction'),
  form: 'pdf',
  language: 'en',
  namesAuthor: false,
};

/** A correction replaces the document before, which is then superseded; a withdrawal marks every one. */
function documentWrites(facts: FilingFacts): readonly Write[] {
  const part = 'document';
  if (isWithdrawn(facts.report)) return withdrawAll(facts, part);
  const standing = replacedDocument(facts);
  if (facts.document === null) return [];
  const document = toDocument(facts, facts.document, RULES);
  const look = byIdentifier(facts, 'DocumentReference', filedValue(facts.report, part));
  // Nothing refers to it, but a server may validate what it is sent, and HAPI's validator asks it of each entry.
  const fullUrl = fullUrlOf(facts.report, part);
  if (standing === null) return [{ kind: 'create', part, resource: document, look, fullUrl }];
  return [
    { kind: 'create', part, resource: replacing(document, standing.id), look, fullUrl },
    { kind: 'amend', part, status: 'superseded', of: standing },
  ];
}

/** Observations and report: created once, then changed in place. What a version no longer has was entered in error. */
function figureWrites(facts: FilingFacts): readonly Write[] {
  const wanted = isWithdrawn(facts.report) ? [] : figuresOf(facts, facts.report);
  const kept = new Set(wanted.map(({ part }) => part));
  const isFigure = ({ part }: FiledResource): boolean => part === 'report' || part.startsWith('observation-');
  const gone = [...new Set(facts.before.filter(isFigure).map(({ part }) => part))].filter((part) => !kept.has(part));
  return [
    ...wanted.flatMap(({ part, resource }) => writeOf(facts, part, resource)),
    ...gone.flatMap((part) => withdrawAll(facts, part)),
  ];
}

function writeOf(facts: FilingFacts, part: FiledPart, resource: Figure): Write[] {
  const of = standingOf(facts, part);
  const look = byIdentifier(facts, resource.resourceType, filedValue(facts.report, part));
  if (of !== null) return [{ kind: 'update', part, resource: withNamesBefore(resource, facts, part), of, look }];
  return [{ kind: 'create', part, resource, look, fullUrl: fullUrlOf(facts.report, part) }];
}

type Figure = Observation | DiagnosticReport;

/** The report's resources as this service has them, with the references of the EHR. */
function figuresOf(
  facts: FilingFacts,
  report: ClinicalReport,
): { readonly part: FiledPart; readonly resource: Figure }[] {
  const { patient, encounter, snomed, timeZone, settings } = facts;
  const reading = {
    report,
    heading: null,
    sequence: null,
    readAt: report.issuedAt,
    presentVersion: report.version,
    trend: [],
  };
  const resources = toReportResources(reading, {
    patient,
    performer: `Organization/${report.organizationId}`,
    encounter,
    order: null,
    snomed,
    style: 'discrete',
    document: null,
    findingsBefore: null,
    timeZone,
    mediaOf: (imageId) => `Media/${imageId}`,
  });
  // What stands there is corrected, whether or not more of its kind is sent.
  const goes = (content: PushContent) => (one: { readonly part: FiledPart }) =>
    settings.send.includes(content) || standingOf(facts, one.part) !== null;
  const filed: { readonly part: FiledPart; readonly resource: Figure }[] = [
    ...resources.observations
      .map((one) => ({ part: observationPart(one, report), resource: one }))
      .filter(goes('observations')),
    ...[{ part: 'report' as const, resource: resources.report }].filter(goes('diagnostic-report')),
  ];
  const places = placesOf(facts, filed, report);
  return filed.map(({ part, resource }) => ({
    part,
    resource: named(
      foreignForm(resource, (reference) => places.get(reference) ?? null),
      report,
      part,
    ),
  }));
}

/** Where references to our own resources of this report lead at the EHR: to what it has, or to an entry beside. */
function placesOf(
  facts: FilingFacts,
  filed: readonly { readonly part: FiledPart; readonly resource: Resource }[],
  report: ClinicalReport,
): ReadonlyMap<string, string> {
  const { patient, encounter } = facts;
  const ours = filed.map(({ part, resource }): [string, string] => {
    const standing = standingOf(facts, part);
    const place = standing === null ? fullUrlOf(report, part) : `${standing.type}/${standing.id}`;
    return [`${resource.resourceType}/${resource.id!}`, place];
  });
  const known: [string, string][] = [patient, ...(encounter === null ? [] : [encounter])].map((one) => [one, one]);
  return new Map([...known, ...ours]);
}

/** The address of an entry within its Bundle: the same for a part whichever resource names it. */
function fullUrlOf({ id }: Pick<ClinicalReport, 'id'>, part: FiledPart): string {
  return `urn:uuid:${stableId(id, part)}`;
}

function named<T extends Figure>(resource: T, report: ClinicalReport, part: FiledPart): T {
  return {
    ...resource,
    identifier: [{ system: FILED_SYSTEM, value: filedValue(report, part) }, ...(resource.identifier ?? [])],
  };
}

function observationPart({ id }: Observation, report: ClinicalReport): FiledPart {
  return `observation-${id!.slice(report.id.length + 1)}`;
}
