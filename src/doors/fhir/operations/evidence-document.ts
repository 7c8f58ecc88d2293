import type {
  Bundle,
  BundleEntry,
  Composition,
  CompositionSection,
  DiagnosticReport,
  Reference,
  Resource,
} from '@medplum/fhirtypes';
import type { Language } from '../../../core/report/languages.js';
import { isSigned, type WoundEvidence } from '../../../core/report/wound-evidence.js';
import { evidenceNarratives, evidenceTitles, OBSERVABLE, type EvidenceNarrative } from '../../../reports/index.js';

/** The resources that the document holds beside its Composition. */
export interface EvidenceResources {
  readonly reports: readonly DiagnosticReport[];
  /** Wound, patient, organization, Observations and Media of these reports. */
  readonly others: readonly Resource[];
}

/** A document as R4 has it (documents.html): the Composition first, and every resource that it refers to. */
export function toEvidenceDocument(
  evidence: WoundEvidence,
  { reports, others }: EvidenceResources,
  { base, id, language }: { readonly base: string; readonly id: string; readonly language: Language },
): Bundle {
  const resources = [...others, ...reports];
  const address = (resource: Resource) => `${base}/${resource.resourceType}/${resource.id!}`;
  const refer = (resource: Resource): Reference => ({ reference: address(resource) });
  const of = (...types: readonly Resource['resourceType'][]) =>
    resources.filter(({ resourceType }) => types.includes(resourceType)).map(refer);
  const told = evidenceNarratives(evidence, language);
  const { document, photos } = evidenceTitles(language);
  const [subject] = of('Patient');
  const authors = of('Organization');
  const composition = {
    resourceType: 'Composition',
    id,
    language,
    status: evidence.reports.length > 0 && evidence.reports.every(isSigned) ? 'final' : 'preliminary',
    type: { coding: [{ ...OBSERVABLE.panel }], text: document },
    ...(subject === undefined ? {} : { subject }),
    date: evidence.issuedAt.toISOString(),
    author: authors.length > 0 ? authors : [{ display: 'Sutura' }],
    title: document,
    ...attestersOf(evidence),
    event: [{ period: { start: evidence.from.toISOString(), end: evidence.to.toISOString() } }],
    section: [
      toSection(told.overPeriod, of('BodyStructure')),
      toSection(told.missing),
      toSection(told.assessments, of('Observation')),
      // No words of its own: the assessments beside it have the dates.
      ...(of('Media').length === 0 ? [] : [{ title: photos, entry: of('Media') }]),
      { ...toSection(told.treatment), ...(evidence.events.length === 0 ? { emptyReason: UNAVAILABLE } : {}) },
      toSection(told.reports, of('DiagnosticReport')),
    ],
  } as Composition;
  const entries: BundleEntry[] = resources.map((resource) => ({ fullUrl: address(resource), resource }));
  return {
    resourceType: 'Bundle',
    identifier: { system: 'urn:ietf:rfc:3986', value: `urn:uuid:${id}` },
    type: 'document',
    timestamp: evidence.issuedAt.toISOString(),
    entry: [{ fullUrl: `urn:uuid:${id}`, resource: composition }, ...entries],
  };
}

/** Nothing is recorded here, which does not say that nothing was done. */
const UNAVAILABLE = {
  coding: [
    {
      system: 'http://terminology.hl7.org/CodeSystem/list-empty-reason',
      code: 'unavailable',
      display: 'Unavailable',
    },
  ],
};

function toSection({ title, div }: EvidenceNarrative, entry: readonly Reference[] = []): CompositionSection {
  return {
    title,
    text: { status: 'generated', div },
    ...(entry.length === 0 ? {} : { entry: [...entry] }),
  } as CompositionSection;
}

/** Each person once, with the time of the last report that they signed. */
function attestersOf({ reports }: WoundEvidence): Pick<Composition, 'attester'> {
  const signed = new Map<string, unknown>();
  for (const report of reports.filter(isSigned)) {
    const { reviewer, reviewedAt } = report.content.review!;
    const { id, name, system } = reviewer;
    signed.set(`${system ?? ''} ${id}`, {
      mode: 'professional',
      time: reviewedAt,
      party: { identifier: { ...(system === undefined ? {} : { system }), value: id }, display: name },
    });
  }
  return signed.size === 0 ? {} : { attester: [...signed.values()] as NonNullable<Composition['attester']> };
}
