import type { InfectionSign, SignStatus } from '../../core/analysis/infection-sign-codes.js';
import { signStatusOfWords, type SignAnswer } from '../../core/followup/sign-words.js';
import { LOINC, local, SNOMED, WOUND_OBSERVATION, type Code } from './codes.js';

/** The code of each sign of infection. SNOMED CT has findings for some of them; none is verified here, so that ours stand alone. */
export const SIGN_CODES: Readonly<Record<InfectionSign, Code>> = {
  warmth: local('sign-warmth', 'Increased warmth of the wound or the skin around it'),
  erythema: local('sign-erythema', 'Erythema around the wound, more than 0.5 cm'),
  spreading_erythema: local('sign-spreading-erythema', 'Erythema that spreads, or 2 cm and more from the edge'),
  swelling: local('sign-swelling', 'Swelling or induration around the wound'),
  purulent_exudate: local('sign-purulent-exudate', 'Purulent exudate as a sign of infection'),
  increased_exudate: local('sign-increased-exudate', 'More exudate than before'),
  increased_pain: local('sign-increased-pain', 'New or increased pain or tenderness'),
  odour: local('sign-odour', 'Unpleasant odour'),
  friable_granulation: local('sign-friable-granulation', 'Red, friable granulation that bleeds easily'),
  debris: local('sign-debris', 'New or more slough or necrosis'),
  enlarging: local('sign-enlarging', 'Wound becomes larger'),
  new_breakdown: local('sign-new-breakdown', 'Wound breakdown or new satellite areas'),
  probes_to_bone: local('sign-probes-to-bone', 'Bone is exposed, or reached by a probe'),
  delayed_healing: local('sign-delayed-healing', 'Does not heal as expected'),
  fever: local('sign-fever', 'Fever'),
  lymphangitis: local('sign-lymphangitis', 'Lymphangitis or swollen lymph nodes'),
};

/** The sign that a code of ours stands for. */
export function signOfCode({ system, code }: Partial<Code>): InfectionSign | undefined {
  if (system !== WOUND_OBSERVATION) return undefined;
  return (Object.keys(SIGN_CODES) as InfectionSign[]).find((sign) => SIGN_CODES[sign].code === code);
}

/** A coded answer as others send it. */
export interface SentConcept {
  readonly coding?: readonly { readonly system?: string; readonly code?: string; readonly display?: string }[];
  readonly text?: string;
}

const HL7 = 'http://terminology.hl7.org/CodeSystem';
const answers = (present: string, absent: string, unknown = ''): ReadonlyMap<string, SignAnswer> =>
  new Map([
    ...present.split(' ').map((code) => [code, 'present'] as const),
    ...absent.split(' ').map((code) => [code, 'absent'] as const),
    ...unknown.split(' ').map((code) => [code, 'unknown'] as const),
  ]);
const INTERPRETATIONS = answers('POS DET', 'NEG ND', 'IND E');

/** Codes that forms send for yes, no, and not known. */
const ANSWERS: ReadonlyMap<string, ReadonlyMap<string, SignAnswer>> = new Map([
  [
    SNOMED,
    answers(
      // The last three are grades: mild, moderate, severe.
      '52101004 10828004 260373001 373066001 410515003 410605003 255604002 6736007 24484000',
      '2667000 260385009 260415000 373067005 410516002 410594000',
      '261665006 373068000 385432009',
    ),
  ],
  [LOINC, answers('LA33-6 LA9633-4 LA6576-8 LA11882-0', 'LA32-8 LA9634-2 LA6577-6 LA11883-8', 'LA4489-6')],
  [`${HL7}/v2-0136`, answers('Y', 'N')],
  [`${HL7}/v2-0532`, answers('Y', 'N')],
  [`${HL7}/v2-0078`, INTERPRETATIONS],
  [`${HL7}/v3-ObservationInterpretation`, INTERPRETATIONS],
]);
/** Systems in which every code says why nothing is known. */
const ALL_UNKNOWN: readonly string[] = [`${HL7}/v3-NullFlavor`, `${HL7}/data-absent-reason`, `${HL7}/v2-0532`];

/** What a concept says of a sign by any of its codes and words; undefined: nothing that is known here. One that says yes and no says yes. */
export function signAnswerOf({ coding = [], text }: SentConcept): SignAnswer | undefined {
  const told = [...coding.map(answerOfCoding), text === undefined ? undefined : signStatusOfWords(text)];
  return (['present', 'absent', 'unknown'] as const).find((answer) => told.includes(answer));
}

function answerOfCoding({
  system,
  code = '',
  display,
}: NonNullable<SentConcept['coding']>[number]): SignAnswer | undefined {
  const known = system === undefined ? undefined : ANSWERS.get(system)?.get(code);
  if (known !== undefined) return known;
  if (system !== undefined && ALL_UNKNOWN.includes(system)) return 'unknown';
  const inWords = display === undefined ? undefined : signStatusOfWords(display);
  // The figures of a house's own list mean anything.
  if (inWords !== undefined || (system !== undefined && /^\d+$/.test(code))) return inWords;
  return signStatusOfWords(code);
}

/** The status of an answer that states one. */
export function signStatusOf(answer: SignAnswer | undefined): SignStatus | null {
  return answer === 'present' || answer === 'absent' ? answer : null;
}
