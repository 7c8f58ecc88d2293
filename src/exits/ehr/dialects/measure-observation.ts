import type { Observation } from '@medplum/fhirtypes';
import type { Measure } from '../../../core/measurement/measures.js';
import type { ClinicalReport } from '../../../core/report/clinical-report.js';
import { EXAM, OBSERVABLE, UCUM } from '../../../reports/index.js';
import type { PushCode } from '../../../core/ehrs/ehr.js';
import { figureOf, measuredOf } from './figures.js';
import {
  FILED_SYSTEM,
  filedValue,
  isWithdrawn,
  standingOf,
  withdrawAll,
  withNamesBefore,
  type FiledPart,
  type Filing,
  type FilingFacts,
  type Look,
} from './filing.js';

/** The measure of a part such as `observation-area`. */
export function measureOf(part: FiledPart): Measure | null {
  const name = part.replace(/^observation-/, '');
  return name in OBSERVABLE && part.startsWith('observation-') ? (name as Measure) : null;
}

export function partOf(measure: Measure): FiledPart {
  return `observation-${measure}`;
}

/** Whether the part has a figure in this version. */
export function isMeasured(report: ClinicalReport, measure: Measure): boolean {
  return measuredOf(report).includes(measure);
}

/** What Observations of one dialect have that others have not. */
export interface MeasureRules {
  /** With the LOINC code beside the site's own. */
  readonly withLoinc: boolean;
  look(observation: Observation, facts: FilingFacts): Look;
}

/**
 * One measure of a version: created with the first version that has it, then changed in place. Where a later version lacks it or was withdrawn, what
 * stands is marked as entered in error, whoever changed it since and whatever its code is now.
 */
export function fileMeasure(part: FiledPart, measure: Measure, facts: FilingFacts, rules: MeasureRules): Filing {
  const { report } = facts;
  if (isWithdrawn(report) || !isMeasured(report, measure)) {
    const writes = withdrawAll(facts, part);
    return writes.length === 0 ? { kind: 'nothing' } : { kind: 'each', writes };
  }
  const standing = standingOf(facts, part);
  const resource = toObservation(part, measure, facts, rules);
  const look = rules.look(resource, facts);
  if (standing !== null) {
    const named = withNamesBefore(resource, facts, part);
    return { kind: 'one', write: { kind: 'update', part, resource: named, of: standing, look } };
  }
  return { kind: 'one', write: { kind: 'create', part, resource, look } };
}

function toObservation(
  part: FiledPart,
  measure: Measure,
  { report, patient, encounter, settings: { codes } }: FilingFacts,
  rules: MeasureRules,
): Observation {
  const site = codes?.[measure];
  const figure = figureOf(report, measure, site?.unit);
  return {
    resourceType: 'Observation',
    identifier: [{ system: FILED_SYSTEM, value: filedValue(report, part) }],
    status: report.status,
    category: [{ coding: [{ ...EXAM }] }],
    code: { coding: codingOf(measure, site, rules), text: OBSERVABLE[measure].display },
    subject: { reference: patient },
    ...(encounter === null ? {} : { encounter: { reference: encounter } }),
    effectiveDateTime: report.content.capturedAt,
    issued: report.issuedAt.toISOString(),
    ...(figure === null
      ? {}
      : { valueQuantity: { value: figure.value, unit: figure.unit, system: UCUM, code: figure.unit } }),
  } as Observation;
}

function codingOf(measure: Measure, site: PushCode | undefined, { withLoinc }: MeasureRules) {
  const own = { ...OBSERVABLE[measure] };
  if (site === undefined) return [own];
  const coded = { system: site.system, code: site.code };
  return withLoinc ? [coded, own] : [coded];
}
