import type { CodedConcept } from '../../core/analysis/analysis-job.js';
import { siteOfCode } from '../../core/followup/site-codes.js';
import { woundKindOf } from '../../core/followup/wound-kinds.js';
import { LOINC, SNOMED } from '../terminology/codes.js';
import type { Say } from '../wording/wording.js';
import { oneLine } from './given-text.js';

/** Names of code systems for readers. */
const SYSTEM_NAMES: Readonly<Record<string, string>> = {
  [SNOMED]: 'SNOMED CT',
  [LOINC]: 'LOINC',
  'http://hl7.org/fhir/sid/icd-10': 'ICD-10',
  'http://hl7.org/fhir/sid/icd-10-cm': 'ICD-10-CM',
};

/** `Heel (84607009)`; a code that came without words has the name of its site where that is known, and is else called a code. null where nothing was stated. */
export function conceptText(say: Say, concept: CodedConcept | null): string | null {
  const { display, code } = concept ?? {};
  if (concept === null || (display === undefined && code === undefined)) return null;
  const words = display ?? siteName(say, concept) ?? kindName(say, concept);
  if (words === null) return bareCode(say, concept);
  return oneLine(code === undefined ? words : `${words} (${code})`);
}

/** The words alone, for where codes would only disturb. */
export function conceptWords(say: Say, concept: CodedConcept): string | null {
  if (concept.display === undefined && concept.code === undefined) return null;
  return oneLine(concept.display ?? siteName(say, concept) ?? kindName(say, concept) ?? bareCode(say, concept));
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

function bareCode(say: Say, { system, code = '' }: CodedConcept): string {
  const name = SYSTEM_NAMES[system ?? ''];
  return oneLine(name === undefined ? say('code.bare', { code }) : say('code.ofSystem', { code, system: name }));
}
