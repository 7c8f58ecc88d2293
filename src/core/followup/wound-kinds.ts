import type { CodedConcept } from '../analysis/analysis-job.js';

/** Kinds of wounds that published milestones are about. */
export const KINDS_WITH_EVIDENCE = ['diabetic_foot_ulcer', 'venous_leg_ulcer'] as const;
export type KindWithEvidence = (typeof KINDS_WITH_EVIDENCE)[number];

/** `neuropathic_ulcer`: perhaps of a diabetic foot; `other`: something else was stated; `unstated`: nothing was. */
export type WoundKind = KindWithEvidence | 'neuropathic_ulcer' | 'other' | 'unstated';

const SNOMED = 'http://snomed.info/sct';
/** Neuropathic ulcer says neither that the patient is diabetic nor that the ulcer is on the foot, yet is what HL7's wound type value set has for it. */
const SNOMED_KINDS: Readonly<Record<string, WoundKind>> = {
  '280137006': 'diabetic_foot_ulcer',
  '371032004': 'venous_leg_ulcer',
  '403601003': 'neuropathic_ulcer',
};

/** ICD-10-CM: diabetes mellitus of any kind with foot ulcer. */
const DIABETIC_FOOT_ICD = /^E(08|09|10|11|13)\.?621$/;
/**
 * ICD-10 and its modifications of the US and Germany: varicose veins with ulcer (I83.0, I83.2), post-thrombotic syndrome with ulcer (I87.01,
 * I87.03), chronic venous hypertension with ulcer (ICD-10-CM I87.31, I87.33), venous insufficiency with ulceration (ICD-10-GM I87.21).
 */
const VENOUS_LEG_ICD = /^I(83\.?[02]\d{0,2}|87\.?(0[13]|3[13])\d?|87\.?21)$/;

/** Whole phrases, without accents and in lower case: "no venous ulcer", "mixed arterial and venous ulcer" are none of them. */
const WORDS: Readonly<Record<KindWithEvidence, readonly string[]>> = {
  diabetic_foot_ulcer: [
    'diabetic foot ulcer',
    'diabetic ulcer of foot',
    'diabetic ulcer of the foot',
    'dfu',
    'diabetisches fussulkus',
    'diabetisches fussulcus',
    'diabetisches fussgeschwur',
    'ulcera de pie diabetico',
    'ulcera del pie diabetico',
    'ulcere du pied diabetique',
    'ulcere de pied diabetique',
  ],
  venous_leg_ulcer: [
    'venous leg ulcer',
    'venous ulcer',
    'venous ulcer of leg',
    'venous ulcer of lower leg',
    'venous ulcer of lower limb',
    'venous stasis ulcer',
    'varicose ulcer',
    'vlu',
    'ulcus cruris venosum',
    'venoses ulcus cruris',
    'venoses beinulkus',
    'venoses unterschenkelgeschwur',
    'ulcera venosa',
    'ulcera venosa de la pierna',
    'ulcera venosa de pierna',
    'ulcera varicosa',
    'ulcere veineux',
    'ulcere veineux de jambe',
    'ulcere veineux de la jambe',
    'ulcere variqueux',
  ],
};

/** The kind of a wound as it was stated: by a code that is known, else by words that name it and nothing else. */
export function woundKindOf(woundType: CodedConcept | null): WoundKind {
  const { code, display } = woundType ?? {};
  if (woundType === null || (code === undefined && plainWords(display) === '')) return 'unstated';
  return kindOfCode(woundType) ?? kindOfWords(display) ?? 'other';
}

function kindOfCode({ system, code }: CodedConcept): WoundKind | undefined {
  if (code === undefined) return undefined;
  if (DIABETIC_FOOT_ICD.test(code)) return 'diabetic_foot_ulcer';
  if (VENOUS_LEG_ICD.test(code)) return 'venous_leg_ulcer';
  return system === undefined || system === SNOMED ? SNOMED_KINDS[code] : undefined;
}

function kindOfWords(display: string | undefined): KindWithEvidence | undefined {
  const words = plainWords(display);
  return KINDS_WITH_EVIDENCE.find((kind) => WORDS[kind].includes(words));
}

/** Without accents, in lower case, with single blanks. */
export function plainWords(text: string | undefined): string {
  return (text ?? '')
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[\s.()-]+/g, ' ')
    .trim();
}
