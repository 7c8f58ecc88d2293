import {
  isInfectionSign,
  isUnderminingCm,
  MOST_LISTED,
  type ClinicianField,
  type ClinicianObservations,
} from '../../../src/core/analysis/clinician-observations.js';
import type { DeskFormFacts, Statements } from './types.js';

/** A row of the form. */
export type StatementName = keyof Statements;
/** Each row as text: "" and an empty list where nothing is stated. */
export type AllStatements = { readonly [Name in StatementName]-?: NonNullable<Statements[Name]> };

export const FIELD_OF: Readonly<Record<StatementName, ClinicianField>> = {
  depth: 'depthCm',
  undermining: 'undermining',
  tunnelling: 'tunnelling',
  exudate: 'exudate',
  exudateType: 'exudateType',
  odour: 'odour',
  pain: 'painNrs',
  edges: 'edges',
  periwound: 'periwound',
  signs: 'infectionSignCodes',
  ownWords: 'infectionSigns',
  stage: 'stage',
};
const NAMES = Object.keys(FIELD_OF) as readonly StatementName[];
/** As the contract has it. */
const DEEPEST_CM = 200;

/** What was stated, as it stands in the form. */
export function statementsOf(given: ClinicianObservations | null, language: string): AllStatements {
  const number = (value: number | undefined) =>
    value === undefined ? '' : value.toLocaleString(language, { useGrouping: false, maximumFractionDigits: 6 });
  const { undermining = [], tunnelling = [], stage, infectionSigns = [], infectionSignCodes = [] } = given ?? {};
  return {
    depth: number(given?.depthCm),
    pain: number(given?.painNrs),
    exudate: given?.exudate ?? '',
    exudateType: given?.exudateType ?? '',
    odour: given?.odour ?? '',
    stage: stage === undefined ? '' : `${stage.system} ${stage.value}`,
    undermining: undermining.map(({ fromClock, toClock, depthCm }) => ({
      from: String(fromClock),
      to: toClock === undefined ? '' : String(toClock),
      depth: number(depthCm),
    })),
    tunnelling: tunnelling.map(({ clock, depthCm }) => ({ at: String(clock), depth: number(depthCm) })),
    edges: given?.edges ?? [],
    periwound: given?.periwound ?? [],
    signs: infectionSignCodes,
    ownWords: infectionSigns.join('\n'),
  };
}

/** What was stated last time, as it would stand in the form. */
export function lastStatements({ lastTime }: DeskFormFacts, language: string): AllStatements {
  const given = Object.fromEntries(Object.entries(lastTime).map(([field, { value }]) => [field, value]));
  return statementsOf(given, language);
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** With another value in one row; one that is the report's again is no change. */
export function restated<Name extends StatementName>(
  stated: Statements,
  name: Name,
  value: AllStatements[Name],
  known: AllStatements,
): Statements {
  const others = Object.fromEntries(Object.entries(stated).filter(([one]) => one !== name));
  return isSame(value, known[name]) ? others : { ...others, [name]: value };
}

/** null where it is no number, or none was typed. A comma is the decimal mark of three of the four languages. */
export function centimetresOf(typed: string): number | null {
  const text = typed.trim();
  return /^\d{1,3}(?:[.,]\d{1,6})?$/.test(text) ? Number(text.replace(',', '.')) : null;
}

/** Rows that cannot be stated as they are typed. */
export function faultsOf(stated: Statements): readonly StatementName[] {
  return NAMES.filter((name) => stated[name] !== undefined && valueOf(name, stated) === undefined);
}

/** All that is stated now, in place of what the report has: rows that nobody touched stay as they are. */
export function observationsOf(stated: Statements, known: ClinicianObservations | null): ClinicianObservations {
  const { statedAt: _, ...rest } = known ?? {};
  const all: Record<string, unknown> = { ...rest };
  for (const name of NAMES) {
    if (stated[name] === undefined) continue;
    const value = valueOf(name, stated);
    if (value === null || value === undefined) delete all[FIELD_OF[name]];
    else all[FIELD_OF[name]] = value;
  }
  return all;
}

/** As the contract takes it; null: no longer stated, undefined: not to be read. */
function valueOf(name: StatementName, stated: Statements): unknown {
  const { stage, depth, pain, undermining = [], tunnelling = [], ownWords = '', signs = [] } = stated;
  switch (name) {
    case 'depth':
      return depth === '' ? null : inRange(centimetresOf(depth!), (value) => value <= DEEPEST_CM);
    case 'pain':
      return pain === '' ? null : Number(pain);
    case 'stage': {
      const [system, value] = stage!.split(' ');
      return stage === '' ? null : { system, value };
    }
    case 'undermining':
      return listOf(
        undermining.map(({ from, to, depth: typed }) => pocketOf({ fromClock: from, toClock: to, depth: typed })),
      );
    case 'tunnelling':
      return listOf(tunnelling.map(({ at, depth: typed }) => pocketOf({ clock: at, depth: typed })));
    case 'ownWords':
      return wordsOf(ownWords);
    case 'signs':
      return signs.length === 0 ? null : signs;
    case 'edges':
    case 'periwound':
    case 'exudate':
    case 'exudateType':
    case 'odour': {
      const value = stated[name];
      return value === undefined || value.length === 0 ? null : value;
    }
  }
}

function inRange(value: number | null, fits: (value: number) => boolean): number | undefined {
  return value !== null && fits(value) ? value : undefined;
}

/** `toClock` alone may be left out. */
function pocketOf({
  depth,
  ...clocks
}: Readonly<Record<string, string>> & { readonly depth: string }): object | undefined {
  const depthCm = inRange(centimetresOf(depth), isUnderminingCm);
  const hours = Object.entries(clocks).filter(([name, hour]) => name !== 'toClock' || hour !== '');
  if (depthCm === undefined || hours.some(([, hour]) => hour === '')) return undefined;
  return { ...Object.fromEntries(hours.map(([name, hour]) => [name, Number(hour)])), depthCm };
}

/** Nothing is said twice. */
function listOf(items: readonly (object | undefined)[]): readonly object[] | null | undefined {
  if (items.length === 0) return null;
  const isOnce = new Set(items.map((item) => JSON.stringify(item))).size === items.length;
  return items.every((item) => item !== undefined) && isOnce && items.length <= MOST_LISTED ? items : undefined;
}

function wordsOf(typed: string): readonly string[] | null | undefined {
  const lines = [...new Set(typed.split('\n').map((line) => line.trim()))].filter((line) => line !== '');
  if (lines.length === 0) return null;
  return lines.length <= MOST_LISTED && lines.every(isInfectionSign) ? lines : undefined;
}
