import { knownBirthDate } from './identity-comparison.js';
import { ClinicalTime } from '../times/clinical-time.js';

/** Ages at which a leg, and what is known of the models, differs from an adult's, youngest first. */
export const AGE_GROUPS = ['newborn', 'infant', 'under_5', 'under_10', 'under_15', 'under_18'] as const;
export type AgeGroup = (typeof AGE_GROUPS)[number];

interface AgeLimit {
  /** Months of age at which the group ends. */
  readonly belowMonths: number;
  /** The front of a leg of an average child at the end of the group. */
  readonly largestLimbAreaCm2: number;
}

/** A ninth of an adult's skin of 1.9 m², the front of a leg (rule of nines, Wallace 1951), is about 1,700 cm². */
export const LARGEST_LIMB_AREA_CM2 = 1700;
/**
 * The skin of an average boy (Mosteller's formula: 0.26, 0.45, 0.75, 1.1, 1.6 m²) times the share of the front of one leg at that age
 * (Lund and Browder 1944: 7, 7.5, 8.5, 9, 9.5 %), rounded.
 */
const LIMITS: Readonly<Record<AgeGroup, AgeLimit>> = {
  newborn: { belowMonths: 1, largestLimbAreaCm2: 180 },
  infant: { belowMonths: 12, largestLimbAreaCm2: 340 },
  under_5: { belowMonths: 60, largestLimbAreaCm2: 640 },
  under_10: { belowMonths: 120, largestLimbAreaCm2: 1000 },
  under_15: { belowMonths: 180, largestLimbAreaCm2: 1500 },
  under_18: { belowMonths: 216, largestLimbAreaCm2: LARGEST_LIMB_AREA_CM2 },
};
const MONTHS_OF_A_YEAR = 12;

/** Whether the text says when the patient was born: a date that stands for none does not. */
export function isBirthKnown(birthDate: string | null): boolean {
  return latestDayOf(knownBirthDate(birthDate)) !== null;
}

/**
 * null: an adult, nobody knows, or a photo from before the birth, on which the patient had no age. Of a birth date without its day the youngest that
 * it allows. `latest`: of a photo of a day, month or year its end.
 */
export function ageGroupOf(birthDate: string | null, capturedAt: Date, latest = capturedAt): AgeGroup | null {
  const latestDay = latestDayOf(knownBirthDate(birthDate));
  if (latestDay === null || isBeforeBirth(birthDate, latest)) return null;
  const months = monthsBetween(latestDay, capturedAt);
  return AGE_GROUPS.find((group) => months < LIMITS[group].belowMonths) ?? null;
}

/** An area beyond it is larger than the front of a leg. */
export function largestLimbAreaCm2(group: AgeGroup | null): number {
  return group === null ? LARGEST_LIMB_AREA_CM2 : LIMITS[group].largestLimbAreaCm2;
}

/** Surely so, wherever the day of birth began first. */
export function isBeforeBirth(birthDate: string | null, capturedAt: Date): boolean {
  const born = ClinicalTime.read(knownBirthDate(birthDate));
  return born !== null && capturedAt < born.earliest;
}

/** The last day of a month or year; null: no date. */
function latestDayOf(birthDate: string | null): Date | null {
  const [, year, month, day] = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(birthDate ?? '') ?? [];
  if (year === undefined) return null;
  const [monthNumber, dayNumber] = [Number(month ?? MONTHS_OF_A_YEAR), Number(day ?? 0)];
  return day === undefined
    ? new Date(Date.UTC(Number(year), monthNumber, 0))
    : new Date(Date.UTC(Number(year), monthNumber - 1, dayNumber));
}

/** Completed months of age, by the calendar; below 0 before birth. */
function monthsBetween(from: Date, to: Date): number {
  const months =
    (to.getUTCFullYear() - from.getUTCFullYear()) * MONTHS_OF_A_YEAR + to.getUTCMonth() - from.getUTCMonth();
  return to.getUTCDate() < from.getUTCDate() ? months - 1 : months;
}
