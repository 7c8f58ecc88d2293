import {
  EXUDATE_AMOUNTS,
  EXUDATE_TYPES,
  ODOURS,
  PERIWOUND_FINDINGS,
  WOUND_EDGES,
} from '../../core/analysis/clinician-observations.js';
import { INFECTION_SIGNS } from '../../core/analysis/infection-sign-codes.js';
import { STAGE_VALUES, type StageSystem } from '../../core/analysis/wound-stage.js';
import { CLINICAL_EVENT_TYPES } from '../../core/followup/clinical-event.js';
import type { Language } from '../wording/language.js';
import { speak, type Say } from '../wording/wording.js';
import { stageText } from './stage-text.js';

/** Each value that can be chosen, with its word; in the order in which they are offered. */
export type Choices = readonly { readonly value: string; readonly word: string }[];

/** What clinicians state of a wound and do to it, in the words of the printed report. */
export interface ClinicalWords {
  readonly labels: Readonly<Record<'depth' | 'exudate' | 'odour' | 'pain' | 'edges' | 'periwound', string>> &
    Readonly<Record<'undermining' | 'tunnelling' | 'signs' | 'ownWords' | 'stage', string>>;
  readonly exudate: Choices;
  readonly exudateType: Choices;
  readonly odour: Choices;
  readonly edges: Choices;
  readonly periwound: Choices;
  readonly signs: Choices;
  /** `value`: system and value, with a blank between. */
  readonly stages: Choices;
  readonly events: Choices;
}

export function clinicalWords(language: Language, stageSystems: readonly StageSystem[]): ClinicalWords {
  const say = speak(language);
  return {
    labels: labelsIn(say),
    exudate: EXUDATE_AMOUNTS.map((value) => ({ value, word: say(`exudate.${value}`) })),
    exudateType: EXUDATE_TYPES.map((value) => ({ value, word: say(`exudateType.${value}`) })),
    odour: ODOURS.map((value) => ({ value, word: say(`odour.${value}`) })),
    edges: WOUND_EDGES.map((value) => ({ value, word: say(`edge.${value}`) })),
    periwound: PERIWOUND_FINDINGS.map((value) => ({ value, word: say(`periwound.${value}`) })),
    signs: INFECTION_SIGNS.map((value) => ({ value, word: say(`sign.${value}`) })),
    stages: stageSystems.flatMap((system) =>
      STAGE_VALUES[system].map((value) => ({ value: `${system} ${value}`, word: stageText(say, { system, value }) })),
    ),
    events: CLINICAL_EVENT_TYPES.map((value) => ({ value, word: say(`event.${value}`) })),
  };
}

function labelsIn(say: Say): ClinicalWords['labels'] {
  return {
    depth: say('observation.depthCm'),
    undermining: say('observation.underminings'),
    tunnelling: say('observation.tunnels'),
    exudate: say('observation.exudate'),
    odour: say('observation.odour'),
    pain: say('observation.painNrs'),
    edges: say('observation.edges'),
    periwound: say('observation.periwound'),
    signs: say('observation.signs'),
    ownWords: say('observation.infectionSigns'),
    stage: say('observation.stage'),
  };
}
