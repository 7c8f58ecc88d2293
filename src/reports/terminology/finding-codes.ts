import { CLINICIAN_CODES } from './clinician-codes.js';
import { SIGN_CODES } from './sign-codes.js';
import { OBSERVABLE, WOUND_OBSERVATION, type Code } from './codes.js';

/** LOINC codes of findings at the bedside that are accepted from others (standards 1.1, "accept inbound"); length and width there are by hand. */
export const FINDING_LOINC: ReadonlySet<string> = new Set([
  '39126-8',
  '39125-0',
  '39127-6',
  '39116-9',
  '39114-4',
  '94083-3',
  '39132-6',
  '89255-4',
  '89256-2',
  '72304-9',
  '39133-4',
  '72289-2',
  '72290-0',
  '72288-4',
  '72291-8',
  '89259-6',
  '72298-3',
  '72296-7',
  '72297-5',
  '72295-9',
  '72293-4',
  '72294-2',
  '89258-8',
  '72301-5',
]);

/** Our own codes of findings at the bedside by their text, for which LOINC has none that is verified. */
export const FINDING_CODES: ReadonlyMap<string, Code> = new Map(
  [OBSERVABLE.pixelSpacing, ...Object.values(CLINICIAN_CODES), ...Object.values(SIGN_CODES)]
    .filter(({ system }) => system === WOUND_OBSERVATION)
    .map((code) => [code.code, code]),
);
