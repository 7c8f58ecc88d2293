import type { CodedConcept } from '../analysis/analysis-job.js';
import { STAGE_SYSTEMS, type StageSystem } from '../analysis/wound-stage.js';
import { plainWords, woundKindOf } from './wound-kinds.js';

const SNOMED = 'http://snomed.info/sct';
/** SNOMED CT: pressure injury, pressure ulcer, and the disorders of single stages that others still send. */
const PRESSURE_SNOMED: readonly string[] = [
  '1163215007',
  '399912005',
  '421076008',
  '420324007',
  '421927004',
  '420597008',
  '421594008',
];
/** ICD-10 and its modifications: L89. */
const PRESSURE_ICD = /^L89(?:\.?[0-9A-Z]{1,4})?$/;
/** Whole words, as `plainWords` has them. */
const PRESSURE_WORDS =
  /\b(?:pressure (?:ulcer|injury|sore)|decubitus|bedsore|dekubitus|dekubitalulkus|druckgeschwur|ulcera por presion|lesion por presion|escarre|ulcere de pression|lesion de pression)\b/;

/**
 * By which systems a wound of this kind is staged: pressure injuries by the NPIAP, diabetic feet by Wagner and the University of Texas, venous leg
 * ulcers by none. Where the kind was not stated, or is not known here, the person who sees the wound chooses among all.
 */
export function stageSystemsOf(woundType: CodedConcept | null): readonly StageSystem[] {
  const kind = woundKindOf(woundType);
  if (kind === 'diabetic_foot_ulcer' || kind === 'neuropathic_ulcer') return ['wagner', 'texas'];
  if (kind === 'venous_leg_ulcer') return [];
  return woundType !== null && isPressureInjury(woundType) ? ['pressure'] : STAGE_SYSTEMS;
}

function isPressureInjury({ system, code, display }: CodedConcept): boolean {
  if (code !== undefined && PRESSURE_ICD.test(code)) return true;
  if (code !== undefined && (system === undefined || system === SNOMED) && PRESSURE_SNOMED.includes(code)) return true;
  return PRESSURE_WORDS.test(plainWords(display));
}
