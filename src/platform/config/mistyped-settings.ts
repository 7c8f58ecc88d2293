import { SETTING_NAMES } from './settings.js';

/** A variable that is set and that no setting has, and the setting that was probably meant. */
export interface MistypedSetting {
  readonly name: string;
  readonly meant: string;
}

/** Letters that may be wrong, missing or too many. */
const MOST_EDITS = 3;

/**
 * Variables that begin as settings do (SUTURA_, HL7_, FHIR_ and so on), are none, and differ from one by a few letters: each would be passed over
 * without a word. Variables that are like no setting may be another program's.
 */
export function mistypedSettings(variables: NodeJS.ProcessEnv): readonly MistypedSetting[] {
  const prefixes = new Set(SETTING_NAMES.map(prefixOf).filter((prefix) => prefix !== ''));
  return Object.keys(variables)
    .filter((name) => !SETTING_NAMES.includes(name) && prefixes.has(prefixOf(name)) && (variables[name] ?? '') !== '')
    .flatMap((name) => {
      const [nearest] = SETTING_NAMES.map((known) => ({ known, edits: editsBetween(name, known) })).sort(
        (first, second) => first.edits - second.edits,
      );
      const isNear = nearest !== undefined && nearest.edits <= Math.min(MOST_EDITS, name.length / 5);
      return isNear ? [{ name, meant: nearest.known }] : [];
    });
}

/** `SUTURA_` of SUTURA_ROLES; "" of PORT. */
function prefixOf(name: string): string {
  return /^[A-Z0-9]+_/.exec(name)?.[0] ?? '';
}

/** Letters to put in, leave out or exchange to make one text of the other (Levenshtein). */
function editsBetween(first: string, second: string): number {
  let row = Array.from({ length: second.length + 1 }, (_, at) => at);
  for (let at = 1; at <= first.length; at += 1) {
    const above = row;
    row = [at];
    for (let to = 1; to <= second.length; to += 1)
      row.push(Math.min(above[to]! + 1, row[to - 1]! + 1, above[to - 1]! + Number(first[at - 1] !== second[to - 1])));
  }
  return row[second.length]!;
}
