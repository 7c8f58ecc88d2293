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

/** As FHIR, HL7 v2 and their object identifiers name ICD-10 and its modifications. */
const ICD_SYSTEM = /icd-?10|^I10|\b2\.16\.840\.1\.113883\.6\.(?:3|90)$/i;
/** Words of feet that are staged by other systems, wherever they stand. */
const FOOT_WORDS = /\b(?:diabet|dfu\b|neuropath|neurotroph|malum perforans|mal perforant)/;

/**
 * By which systems a wound of this kind is staged: pressure injuries by the NPIAP, diabetic feet by Wagner and the University of Texas, venous leg
 * ulcers by none. Where the kind was not stated, is not known here, or is several at once, the person who sees the wound chooses among all.
 */
export function stageSystemsOf(woundType: CodedConcept | null): readonly StageSystem[] {
  if (woundType === null) return STAGE_SYSTEMS;
  const kind = woundKindOf(woundType);
  const isFoot = kind === 'diabetic_foot_ulcer' || kind === 'neuropathic_ulcer';
  if (isPressureInjury(woundType)) {
    const isMixed = isFoot || kind === 'venous_leg_ulcer' || FOOT_WORDS.test(plainWords(woundType.display));
    return isMixed ? STAGE_SYSTEMS : ['pressure'];
  }
  if (isFoot) return ['wagner', 'texas'];
  return kind === 'venous_leg_ulcer' ? [] : STAGE_SYSTEMS;
}

function isPressureInjury({ system, code, display }: CodedConcept): boolean {
  const isIn = (known: (of: string) => boolean) => system === undefined || known(system);
  if (code !== undefined && PRESSURE_ICD.test(code) && isIn((of) => ICD_SYSTEM.test(of))) return true;
  if (code !== undefined && PRESSURE_SNOMED.includes(code) && isIn((of) => of === SNOMED)) return true;
  return PRESSURE_WORDS.test(plainWords(display));
}
