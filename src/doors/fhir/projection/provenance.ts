import type { Provenance, Reference } from '@medplum/fhirtypes';
import type { ClinicalReport } from '../../../core/report/clinical-report.js';
import {
  ASSEMBLER,
  CREATED,
  deviceId,
  ENTERER,
  INFORMANT,
  profileUrl,
  REVISED,
  VERIFIER,
  type Code,
} from '../../../reports/index.js';

/** The subject of the Provenance of one version of a report. */
interface ReportVersion {
  readonly report: ClinicalReport;
  /** The panel first. */
  readonly observationIds: readonly string[];
  /** Observation of the area that this one is compared with; null without one. */
  readonly previousAreaId: string | null;
  /** The Observations of clinicians that it copies from, and who stated them. */
  readonly copied: { readonly sources: readonly Reference[]; readonly statedBy: readonly Reference[] };
  readonly recordedAt: Date;
}

/** Agents, inputs and activity: one Provenance for each version of a report. */
export function toProvenance({
  report,
  observationIds,
  previousAreaId,
  copied,
  recordedAt,
}: ReportVersion): Provenance {
  const first = report.version === 1;
  const sources = [`Media/${report.imageId}`, ...(previousAreaId === null ? [] : [`Observation/${previousAreaId}`])];
  return {
    resourceType: 'Provenance',
    id: `${report.id}-v${report.version}`,
    meta: { profile: [profileUrl('sutura-analysis-provenance')] },
    target: [refer(`DiagnosticReport/${report.id}`), ...observationIds.map((id) => refer(`Observation/${id}`))],
    occurredDateTime: report.issuedAt.toISOString(),
    recorded: recordedAt.toISOString(),
    activity: only(first ? CREATED : REVISED),
    agent: [...agentsOf(report), ...copied.statedBy.map((who) => ({ type: only(INFORMANT), who: agentOf(who) }))],
    entity: [
      ...sources.map((what) => ({ role: 'source', what: refer(what) })),
      ...copied.sources.map((what) => ({ role: 'source', what })),
      ...(first
        ? []
        : [{ role: 'revision', what: refer(`DiagnosticReport/${report.id}/_history/${report.version - 1}`) }]),
    ],
  } as Provenance;
}

/** The person comes first as author of a decision; unchanged figures stay the device's. */
function agentsOf(report: ClinicalReport): object[] {
  const organization = refer(`Organization/${report.organizationId}`);
  const { review, findings } = report.content;
  const assembler = {
    type: only(ASSEMBLER),
    who: refer(`Device/${deviceId(findings.model)}`),
    onBehalfOf: organization,
  };
  const informant = { type: only(INFORMANT), who: organization };
  const reviewed = report.reason === 'reviewed' || (report.replaces !== null && report.version === 1);
  if (!reviewed || review === null) return [assembler, informant];
  const { id, name, system } = review.reviewer;
  const { enteredBy } = review;
  return [
    {
      type: only(VERIFIER),
      who: { identifier: { ...(system === undefined ? {} : { system }), value: id }, display: name },
    },
    ...(enteredBy === undefined ? [] : [{ type: only(ENTERER), who: { identifier: { value: enteredBy } } }]),
    assembler,
  ];
}

/** R4 takes no team as an agent: one is named without its type. */
function agentOf({ type, reference, ...named }: Reference): Reference {
  if (type === 'CareTeam' || reference?.includes('CareTeam/') === true) return named;
  return { ...named, ...(type === undefined ? {} : { type }), ...(reference === undefined ? {} : { reference }) };
}

function only(code: Code): { coding: Code[] } {
  return { coding: [{ ...code }] };
}

function refer(reference: string): Reference {
  return { reference };
}
