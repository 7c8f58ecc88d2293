import type { CodeableConcept, Observation, ObservationComponent } from '@medplum/fhirtypes';
import { isInfectionSign, type ClinicianObservations } from '../../../core/analysis/clinician-observations.js';
import {
  withoutContradictions,
  type InfectionSign,
  type StatedSign,
} from '../../../core/analysis/infection-sign-codes.js';
import { LONGEST_STATED_BY } from '../../../core/analysis/wound-stage.js';
import {
  CLINICIAN_CODES,
  signAnswerOf,
  signOfCode,
  signStatusOf,
  stageOf,
  type SentConcept,
} from '../../../reports/index.js';

/** null: nothing that a report's fields can hold. 'bad': a value that the field cannot have. */
type Stated = ClinicianObservations | 'bad' | null;
type Part = Pick<Observation & ObservationComponent, 'code'> & ValueOf;
type ValueOf = Pick<
  Observation & ObservationComponent,
  'valueBoolean' | 'valueInteger' | 'valueQuantity' | 'valueString' | 'valueCodeableConcept'
>;

/** The Observation itself, and its components. */
function partsOf({ component = [], ...whole }: Observation): Part[] {
  return [whole, ...component];
}

/** Signs with an answer of their own, by their code; and, below the code of all of them, signs that are named as values: these are ticked. */
export function signCodesIn(observation: Observation): Stated {
  const stated = withoutContradictions(partsOf(observation).flatMap(signsIn));
  return stated.length === 0 ? null : { infectionSignCodes: stated };
}

function signsIn(part: Part): StatedSign[] {
  const sign = signNamed(part.code);
  if (sign === undefined) return tickedIn(part);
  const status = signStatusOf(answerOf(part));
  return status === null ? [] : [{ sign, status }];
}

function tickedIn({ valueCodeableConcept }: ValueOf): StatedSign[] {
  const sign = signNamed(valueCodeableConcept);
  return sign === undefined ? [] : [{ sign, status: 'present' }];
}

function signNamed(concept: CodeableConcept | undefined): InfectionSign | undefined {
  return concept?.coding?.map(signOfCode).find((sign) => sign !== undefined);
}

function answerOf({ valueBoolean, valueInteger, valueQuantity, valueString, valueCodeableConcept }: ValueOf) {
  const figure = valueInteger ?? (valueQuantity?.code === undefined ? valueQuantity?.value : undefined);
  if (valueBoolean !== undefined) return valueBoolean ? 'present' : 'absent';
  if (figure !== undefined) return figure === 1 ? 'present' : figure === 0 ? 'absent' : undefined;
  return signAnswerOf(
    valueCodeableConcept === undefined ? wordsOnly(valueString) : (valueCodeableConcept as SentConcept),
  );
}

function wordsOnly(text: string | undefined): SentConcept {
  return text === undefined ? {} : { text };
}

/** The clinician's words; a coded value in its own words, and as the sign that it is where it is one of ours. */
export function infectionSignsIn(observation: Observation): Stated {
  const { code } = CLINICIAN_CODES.infectionSigns;
  const parts = partsOf(observation).filter((part) => part.code.coding?.some((coding) => coding.code === code));
  const coded = withoutContradictions(parts.flatMap(tickedIn));
  const words = parts.flatMap((part) => wordsOf(part) ?? []);
  if (words.length === 0 && coded.length === 0) return null;
  if (!words.every(isInfectionSign)) return 'bad';
  return {
    ...(words.length === 0 ? {} : { infectionSigns: [...new Set(words)] }),
    ...(coded.length === 0 ? {} : { infectionSignCodes: coded }),
  };
}

/** A bare yes or no is a word as well: the one raises the question, the other settles it. */
function wordsOf({ valueString, valueBoolean, valueCodeableConcept: concept }: ValueOf): string | undefined {
  if (valueString !== undefined) return valueString.trim();
  if (valueBoolean !== undefined) return valueBoolean ? 'Yes' : 'No';
  if (concept === undefined || signNamed(concept) !== undefined) return undefined;
  const answer = signAnswerOf(concept as SentConcept);
  if (answer === 'absent') return 'No';
  if (answer === 'unknown') return undefined;
  const coding = concept.coding ?? [];
  return (concept.text ?? coding.find(({ display }) => display !== undefined)?.display ?? coding[0]?.code)?.trim();
}

/** Of the system that the value names; who stated it is whoever performed it, by name. */
export function stageIn({ valueCodeableConcept, valueString, performer }: Observation): Stated {
  const stage = stageOf(
    valueCodeableConcept === undefined ? wordsOnly(valueString) : (valueCodeableConcept as SentConcept),
  );
  if (stage === null) return null;
  const statedBy = performer?.find(({ display }) => display !== undefined)?.display?.trim();
  const isName = statedBy !== undefined && isInfectionSign(statedBy) && [...statedBy].length <= LONGEST_STATED_BY;
  return { stage: { ...stage, ...(isName ? { statedBy } : {}) } };
}
