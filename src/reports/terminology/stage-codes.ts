import {
  isStageOf,
  STAGE_SYSTEMS,
  STAGE_VALUES,
  type StageSystem,
  type WoundStage,
} from '../../core/analysis/wound-stage.js';
import { local, SNOMED, WOUND_OBSERVATION, type Code } from './codes.js';
import type { SentConcept } from './sign-codes.js';

const PRESSURE_WORDS: Readonly<Record<string, string>> = {
  unstageable: 'Pressure injury, unstageable',
  suspected_deep_tissue_injury: 'Pressure injury, suspected deep tissue injury',
  mucosal: 'Mucosal membrane pressure injury',
};

/** A stage as a code of ours: `stage-pressure-2`, `stage-wagner-3`, `stage-texas-1b`. */
export function stageCodeOf({ system, value }: Pick<WoundStage, 'system' | 'value'>): Code {
  const code = `stage-${system}-${value.toLowerCase().replaceAll('_', '-')}`;
  if (system === 'wagner') return local(code, `Wagner grade ${value}`);
  if (system === 'texas') return local(code, `University of Texas grade ${value.charAt(0)}, stage ${value.charAt(1)}`);
  return local(code, PRESSURE_WORDS[value] ?? `Pressure injury, stage ${value}`);
}

/** Every stage, in the order of the systems. */
export const STAGES: readonly Pick<WoundStage, 'system' | 'value'>[] = STAGE_SYSTEMS.flatMap((system) =>
  STAGE_VALUES[system].map((value) => ({ system, value })),
);

/** SNOMED CT's disorders that others still send; they were replaced in the international edition, so that none is sent. */
const PRESSURE_ULCERS: Readonly<Record<string, string>> = {
  '421076008': '1',
  '420324007': '2',
  '421927004': '3',
  '420597008': '4',
  '421594008': 'unstageable',
};

/** The one stage that a concept states; null: none, or several that differ. */
export function stageOf({ coding = [], text }: SentConcept): Pick<WoundStage, 'system' | 'value'> | null {
  const ofCodes = coding.flatMap(
    (one) => stageOfCoding(one) ?? stageOfWords(one.display ?? '') ?? stageOfWords(one.code ?? '') ?? [],
  );
  const inWords = text === undefined ? undefined : stageOfWords(text);
  const told = inWords === undefined ? ofCodes : [...ofCodes, inWords];
  const [first] = told;
  const isOne = told.every(({ system, value }) => system === first!.system && value === first!.value);
  return first === undefined || !isOne ? null : first;
}

function stageOfCoding({ system, code = '' }: { readonly system?: string; readonly code?: string }) {
  if (system === WOUND_OBSERVATION) return STAGES.find((stage) => stageCodeOf(stage).code === code.toLowerCase());
  if (system !== SNOMED || !Object.hasOwn(PRESSURE_ULCERS, code)) return undefined;
  return valid('pressure', PRESSURE_ULCERS[code]!);
}

const ROMAN: Readonly<Record<string, string>> = { i: '1', ii: '2', iii: '3', iv: '4', v: '5' };
const LONGEST_WORDS = 100;
/** Words for the injuries without a number. */
const PRESSURE_NAMES: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:unstageable|not stageable|nicht klassifizierbar|inclasificable|no clasificable|inclassable|non classable)$/,
    'unstageable',
  ],
  [
    /^(?:dti|dtpi|sdti|sdtpi|(?:suspected )?deep tissue (?:pressure )?injury|(?:vermutete )?tiefe gewebeschädigung)$/,
    'suspected_deep_tissue_injury',
  ],
  [/^(?:mucosal|mucosal membrane(?: pressure injury)?)$/, 'mucosal'],
];
const PRESSURE_STAGE =
  /^(?:(?:pressure (?:injury|ulcer|sore)|dekubitus|npuap|npiap|epuap|lesión por presión|escarre) )?(?:stage|category|grade|stadium|kategorie|grad|estadio|categoría|categoria|grado|stade|catégorie)[ -]?(iv|i{1,3}|[1-4])$/;

/** The stage that these words are as a whole. A bare figure is of no system. */
function stageOfWords(words: string): Pick<WoundStage, 'system' | 'value'> | undefined {
  if (words.length > LONGEST_WORDS) return undefined;
  const said = words
    .toLowerCase()
    .normalize('NFC')
    .replaceAll(/[\s_,:.()/-]+/g, ' ')
    .trim();
  const own = STAGES.find(({ system, value }) =>
    [`${system} ${value}`, stageCodeOf({ system, value }).code, stageCodeOf({ system, value }).display]
      .map((known) => known.toLowerCase().replaceAll(/[\s_,-]+/g, ' '))
      .includes(said),
  );
  if (own !== undefined) return own;
  const named = PRESSURE_NAMES.find(([known]) => known.test(said))?.[1];
  if (named !== undefined) return valid('pressure', named);
  const pressure = PRESSURE_STAGE.exec(said)?.[1];
  if (pressure !== undefined) return valid('pressure', ROMAN[pressure] ?? pressure);
  const wagner = /^(?:meggitt )?wagner(?: (?:grade|grad|grado|stadium|stade))?[ -]?([0-5]|iv|v|i{1,3})$/.exec(
    said,
  )?.[1];
  if (wagner !== undefined) return valid('wagner', ROMAN[wagner] ?? wagner);
  const texas = /^(?:ut|utwcs|(?:university of )?texas)(?: (?:grade|stage))?[ -]?([0-3]) ?(?:stage )?([a-d])$/.exec(
    said,
  );
  return texas === null ? undefined : valid('texas', `${texas[1]}${texas[2]!.toUpperCase()}`);
}

function valid(system: StageSystem, value: string): Pick<WoundStage, 'system' | 'value'> | undefined {
  return isStageOf(system, value) ? { system, value } : undefined;
}
