import type { CodedConcept } from '../../core/analysis/analysis-job.js';
import type { WoundStage } from '../../core/analysis/wound-stage.js';
import { siteOfCode } from '../../core/followup/site-codes.js';
import { sideAndSiteOf } from '../../core/followup/site-words.js';
import { plainWords, woundKindOf } from '../../core/followup/wound-kinds.js';
import { LOINC, SNOMED } from '../terminology/codes.js';
import type { Say } from '../wording/wording.js';
import { oneLine } from './given-text.js';
import { stageText } from './stage-text.js';

/** Names of code systems for readers. */
const SYSTEM_NAMES: Readonly<Record<string, string>> = {
  [SNOMED]: 'SNOMED CT',
  [LOINC]: 'LOINC',
  'http://hl7.org/fhir/sid/icd-10': 'ICD-10',
  'http://hl7.org/fhir/sid/icd-10-cm': 'ICD-10-CM',
};

/** SNOMED CT's types of wounds in HL7's value set. */
const TYPE_CODES = {
  pressure_injury: ['399912005', '1163215007'],
  ischaemic_ulcer: ['13954005'],
  mixed_leg_ulcer: ['238792006'],
  skin_tear: ['428220001'],
  burn: ['284196006'],
  laceration: ['274165007'],
  puncture_wound: ['312609001'],
  stab_wound: ['425322008'],
  bite_wound: ['283682007'],
  abrasion: ['400012003'],
  avulsion: ['429349001'],
} as const;
type WoundTypeName = keyof typeof TYPE_CODES;
/** Of the same value set, and of senders of former codes: pressure injuries by their stage. */
const STAGED_CODES: Readonly<Record<string, Pick<WoundStage, 'system' | 'value'>>> = {
  '421076008': { system: 'pressure', value: '1' },
  '420324007': { system: 'pressure', value: '2' },
  '421927004': { system: 'pressure', value: '3' },
  '420597008': { system: 'pressure', value: '4' },
  '421594008': { system: 'pressure', value: 'unstageable' },
  '723071003': { system: 'pressure', value: 'suspected_deep_tissue_injury' },
};

/**
 * `Heel (84607009)`. What a code is known to mean stands in the language of the report, with the sender's words beside it where they say it otherwise
 * (`Ferse (Heel structure, 84607009)`); a code that nothing is known of and that came without words is called a code. null where nothing was stated.
 */
export function conceptText(say: Say, concept: CodedConcept | null): string | null {
  const { display, code } = concept ?? {};
  if (concept === null || (display === undefined && code === undefined)) return null;
  const own = nameOf(say, concept);
  const words = wordsOf(own, display);
  if (words === null) return bareCode(say, concept);
  const beside = [display === words ? undefined : display, code].filter((part) => part !== undefined);
  return oneLine(beside.length === 0 ? words : `${words} (${beside.join(', ')})`);
}

/** The words alone, for where codes would only disturb: the sender's beside the name of a site (`Ferse (Left heel)`) where they may say more than that. */
export function conceptWords(say: Say, concept: CodedConcept): string | null {
  const { display, code } = concept;
  if (display === undefined && code === undefined) return null;
  const words = wordsOf(nameOf(say, concept), display) ?? bareCode(say, concept);
  const saysMore = display !== undefined && display !== words && namesMore(concept, display);
  return oneLine(saysMore ? `${words} (${display})` : words);
}

/** Left, right, gauche and droit in one letter; not the articles of French. */
const SIDE_LETTER = /(?<!\p{L})[lrgd](?![\p{L}'’])/iu;

/** They name a side, another site, or what is not understood. */
function namesMore(concept: CodedConcept, display: string): boolean {
  const known = siteOfCode(concept);
  const { site, side, isContradictory } = sideAndSiteOf(display);
  return known !== null && (site !== known || side !== null || isContradictory || SIDE_LETTER.test(display));
}

/** The sender's words where there are any, for receivers that look them up. */
export function sentWords(say: Say, concept: CodedConcept): string | null {
  return concept.display === undefined ? conceptWords(say, concept) : oneLine(concept.display);
}

/** The sender's words where they have the name in them, and so say more; else the name. */
function wordsOf(own: string | null, display: string | undefined): string | null {
  if (own === null || display === undefined) return own ?? display ?? null;
  return plainWords(display).includes(plainWords(own)) ? display : own;
}

function nameOf(say: Say, concept: CodedConcept): string | null {
  return siteName(say, concept) ?? kindName(say, concept) ?? typeName(say, concept);
}

/** The name of the site that a code is known for; null: none. */
export function siteName(say: Say, concept: CodedConcept): string | null {
  const site = siteOfCode(concept);
  return site === null ? null : say(`site.${site}`);
}

/** The name of a kind of wound that milestones are known for; null: none. */
function kindName(say: Say, concept: CodedConcept): string | null {
  const kind = woundKindOf(concept);
  return kind === 'other' || kind === 'unstated' ? null : say(`kind.${kind}`);
}

/** The name of another type of wound; null: none. */
function typeName(say: Say, { system, code }: CodedConcept): string | null {
  if (code === undefined || (system !== undefined && system !== SNOMED)) return null;
  const staged = Object.hasOwn(STAGED_CODES, code) ? stageText(say, STAGED_CODES[code]!) : null;
  if (staged !== null) return `${staged.charAt(0).toUpperCase()}${staged.slice(1)}`;
  const known = (Object.entries(TYPE_CODES) as [WoundTypeName, readonly string[]][]).find(([, codes]) =>
    codes.includes(code),
  );
  return known === undefined ? null : say(`type.${known[0]}`);
}

function bareCode(say: Say, { system, code = '' }: CodedConcept): string {
  const name = SYSTEM_NAMES[system ?? ''];
  return oneLine(name === undefined ? say('code.bare', { code }) : say('code.ofSystem', { code, system: name }));
}
