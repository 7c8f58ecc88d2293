import type { DiagnosticReport, Observation, Reference } from '@medplum/fhirtypes';
import { findingsWithArea, readingOf, reportsOf } from '../../../test/support/sample-report.js';
import type { Tissue } from '../../core/tissue/tissues.js';
import { toReportResources } from '../diagnostic-report/to-diagnostic-report.js';
import { toNlCoreWound } from './nl-core-wound.js';

const METHOD = { granulation: 'model', slough: 'model', necrosis: 'model', other: 'model' } as const;

/** The wound's colour for these shares, with those that a clinician stated. */
function colourOf(shares: Record<Tissue, number>, confirmedTissues: readonly Tissue[] = []): string | undefined {
  const reading = readingOf(
    reportsOf({ weeks: [{ ...findingsWithArea(9), tissue: { ...shares, method: METHOD }, confirmedTissues }] }),
  );
  const { report, observations } = toReportResources(reading, {
    patient: 'Patient/p1',
    performer: 'Organization/o1',
    encounter: null,
    order: null,
    snomed: true,
    style: 'discrete',
    document: null,
    findingsBefore: null,
    mediaOf: (imageId) => `Media/${imageId}`,
  });
  const shown = {
    clinical: reading.report,
    report: report as DiagnosticReport & { readonly subject: Reference },
    observations,
    wound: undefined,
    photo: undefined,
  };
  let made = 0;
  const entries = toNlCoreWound(
    shown,
    () => `urn:uuid:${(made += 1)}`,
    ({ id }) => `base/${id!}`,
  );
  const resources = entries.map(({ resource }) => resource as Observation);
  return resources.find(({ meta }) => meta?.profile?.[0]?.endsWith('WoundTissue') === true)?.valueCodeableConcept
    ?.coding?.[0]?.code;
}

describe('a wound as the Dutch standard has it', () => {
  it('has no colour where most of its bed is told apart by nobody, or nothing reaches a tenth', () => {
    expect(colourOf({ granulation: 0.4, slough: 0.05, necrosis: 0, other: 0.55 })).toBeUndefined();
    expect(colourOf({ granulation: 0.09, slough: 0.09, necrosis: 0.09, other: 0.4 })).toBeUndefined();
  });

  it.each([
    ['black from a tenth of necrosis on', { granulation: 0.6, slough: 0.3, necrosis: 0.1, other: 0 }, 'ZWART'],
    ['yellow with less of it than that', { granulation: 0.7, slough: 0.21, necrosis: 0.09, other: 0 }, 'GEEL'],
    ['red where neither counts', { granulation: 0.85, slough: 0.09, necrosis: 0.06, other: 0 }, 'ROOD'],
  ] as const)('is %s', (_words, shares, colour) => {
    expect(colourOf(shares)).toBe(colour);
  });

  it('is black with any necrosis that a clinician stated', () => {
    const shares = { granulation: 0.9, slough: 0.08, necrosis: 0.02, other: 0 };
    expect(colourOf(shares, ['necrosis'])).toBe('ZWART');
    expect(colourOf(shares)).toBe('ROOD');
  });
});
