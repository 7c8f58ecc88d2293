import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { APPLICATION_PROGRAM, ATTENTION, OBSERVABLE, TISSUE_SHARE, TISSUE_TERMS, type Code } from './codes.js';
import { LOINC, SNOMED } from './codes.js';
import { EVENT } from './event-codes.js';
import { CLOSURE, COURSE, FLAG, LOOK, RELATION, RESET, TREND, TREND_BASIS, VERDICT } from './follow-up-codes.js';
import { CLOCK, CLOCK_POSITIONS, CLINICIAN_CODES, CLINICIAN_VALUES } from './clinician-codes.js';

const ALL: Code[] = [
  ...Object.values(OBSERVABLE),
  ...Object.values(TISSUE_SHARE),
  ...Object.values(TISSUE_TERMS).flatMap(({ finding }) => finding ?? []),
  ...Object.values(TREND),
  ...Object.values(ATTENTION),
  ...Object.values(FLAG),
  ...Object.values(LOOK),
  ...Object.values(CLOSURE),
  ...Object.values(EVENT),
  ...Object.values(RELATION),
  ...Object.values(RESET),
  ...Object.values(COURSE),
  ...Object.values(TREND_BASIS),
  ...Object.values(VERDICT).map(({ own }) => own),
  ...[VERDICT.improving, VERDICT.worsening, VERDICT.unknown]
    .flatMap(({ interpretation, conclusion }) => [interpretation, conclusion])
    .filter((code) => code !== null),
  ...Object.values(CLINICIAN_CODES),
  ...Object.values(CLOCK),
  ...Object.values(CLINICIAN_VALUES)
    .flatMap((values) => Object.values(values))
    .flatMap(({ own, snomed }) => (snomed === null ? [own] : [own, snomed])),
];
const of = (system: string) => ALL.filter((code) => code.system === system).map(({ code }) => code);

/** What a terminology server answered; see its "source". */
const VERIFIED = JSON.parse(
  readFileSync(join(__dirname, '../../../test/fixtures/fhir/verified-codes.json'), 'utf8'),
) as Record<string, Record<string, string>>;

/** LOINC's check digit: mod 10, every second digit from the right doubled. */
function hasLoincCheckDigit(code: string): boolean {
  const [number, digit] = code.split('-') as [string, string];
  const sum = [...number].reverse().reduce((total, figure, place) => {
    const value = Number(figure) * (place % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return (10 - (sum % 10)) % 10 === Number(digit);
}

// Verhoeff 1969: the dihedral group of order ten, and the permutation of the places.
const multiply = (a: number, b: number) =>
  a < 5 ? (b < 5 ? (a + b) % 5 : ((a + b) % 5) + 5) : b < 5 ? ((a - b + 5) % 5) + 5 : (a - b + 5) % 5;
const STEP = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];
const permute = (digit: number, times: number): number => (times === 0 ? digit : permute(STEP[digit]!, times - 1));

function hasSnomedCheckDigit(code: string): boolean {
  return (
    [...code].reverse().reduce((check, digit, place) => multiply(check, permute(Number(digit), place % 8)), 0) === 0
  );
}

describe('the codes', () => {
  it('are not mistyped: a wrong digit fails the check', () => {
    expect([hasLoincCheckDigit('39135-8'), hasSnomedCheckDigit('390771009')]).toEqual([false, false]);
    expect(of(LOINC).filter((code) => !hasLoincCheckDigit(code))).toEqual([]);
    expect(of(SNOMED).filter((code) => !hasSnomedCheckDigit(code))).toEqual([]);
    expect(of(LOINC).length).toBeGreaterThanOrEqual(7);
    expect(of(SNOMED)).toHaveLength(30);
  });

  it('are of those that a terminology server knows, by its own words', () => {
    const foreign = [...ALL, APPLICATION_PROGRAM].filter(({ system }) => system === LOINC || system === SNOMED);
    expect(foreign.filter(({ system, code, display }) => VERIFIED[system]?.[code] !== display)).toEqual([]);
    expect(foreign.length).toBeGreaterThan(12);
  });

  it('of clock positions are those of 1 to 12 o’clock', () => {
    expect(CLOCK_POSITIONS.map((code) => VERIFIED[SNOMED]![code])).toEqual(
      Array.from({ length: 12 }, (_, index) => `${index + 1} o'clock position`),
    );
  });

  it('stand for one thing each', () => {
    const keys = ALL.map(({ system, code }) => `${system}|${code}`);
    expect(new Set(keys).size).toBe(keys.length);
  });
});
