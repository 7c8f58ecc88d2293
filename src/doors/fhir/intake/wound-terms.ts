import type { BodyStructure, CodeableConcept } from '@medplum/fhirtypes';
import type { CodedConcept, Laterality } from '../../../core/analysis/analysis-job.js';
import type { WoundDescription } from '../../../core/followup/wound.js';

const MAX_LENGTH = 255;
/** SNOMED CT: left, right; unilateral left and right; left and right half of the body. */
const SIDE: Readonly<Record<string, Laterality>> = {
  '7771000': 'left',
  '419161000': 'left',
  '31156008': 'left',
  '24028007': 'right',
  '419465000': 'right',
  '85421007': 'right',
  '255561001': 'midline',
};

/** The first code of a concept with the words that stand by it; the text alone where it has no code. undefined: it says nothing. */
export function codedConceptOf(concept: CodeableConcept | undefined): CodedConcept | undefined {
  const coding = concept?.coding?.find(({ code }) => code !== undefined);
  const display = clipped(coding?.display ?? concept?.text);
  const coded = {
    ...(coding?.system === undefined || coding.system.length > MAX_LENGTH ? {} : { system: coding.system }),
    ...(coding?.code === undefined || coding.code.length > MAX_LENGTH ? {} : { code: coding.code }),
    ...(display === undefined ? {} : { display }),
  };
  return Object.keys(coded).length === 0 ? undefined : coded;
}

/** A body site beside whose code a side may stand: the site alone. undefined: it says none. */
export function siteOf(concept: CodeableConcept | undefined): CodedConcept | undefined {
  const coding = concept?.coding?.filter(({ code }) => code === undefined || SIDE[code] === undefined);
  return concept === undefined ? undefined : codedConceptOf({ ...concept, coding });
}

export function lateralityOf(qualifiers: readonly CodeableConcept[] | undefined): Laterality | undefined {
  for (const { coding } of qualifiers ?? [])
    for (const { code } of coding ?? []) if (code !== undefined && SIDE[code] !== undefined) return SIDE[code];
  return undefined;
}

export function describedBy({ location, locationQualifier, morphology }: BodyStructure): WoundDescription {
  return {
    bodySite: codedConceptOf(location) ?? null,
    laterality: lateralityOf(locationQualifier) ?? null,
    woundType: codedConceptOf(morphology) ?? null,
  };
}

function clipped(text: string | undefined): string | undefined {
  return text === undefined ? undefined : [...text].slice(0, MAX_LENGTH).join('');
}
