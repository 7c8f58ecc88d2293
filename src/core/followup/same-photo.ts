import type { Laterality } from '../analysis/analysis-job.js';

/**
 * What the same photo (the same bytes, or the same pixels) is filed for besides: another patient, a second wound at the same moment, or another
 * time, which for one wound is a copy of a visit.
 */
export const PHOTO_USES = ['other_patient', 'other_time', 'other_wound'] as const;
export type PhotoUse = (typeof PHOTO_USES)[number];

/** Another report of the same photo that contradicts this one. */
export interface OtherUse {
  readonly use: PhotoUse;
  readonly reportId: string;
}

/** A report of a photo, with what says whose it is. Not those entered in error. */
export interface PhotoFiling {
  readonly reportId: string;
  readonly imageId: string;
  readonly capturedAt: Date;
  /** Of the wound whose series it stands in. */
  readonly patientId: string | null;
  /** The wound whose series it stands in. */
  readonly rootId: string;
  /** The sender named the wound by a number. */
  readonly isNumbered: boolean;
  /** Code or words of the site, as its sender stated it. */
  readonly site: string | null;
  readonly laterality: Laterality | null;
  /** The sender said where in the photo the wound lies, and it lies there. */
  readonly isPlaced: boolean;
  /** The first outline that counts, as text; null: none. */
  readonly outline: string | null;
}

/** What each use has the report wait for. */
export const REASON_OF_USE = {
  other_patient: 'duplicate_photo',
  other_time: 'duplicate_photo',
  other_wound: 'which_outline',
} as const satisfies Readonly<Record<PhotoUse, string>>;

/** How other reports of the same photo contradict this one: for each kind the one that was filed first. Ids of reports are made in the order of their making. */
export function usesBeside(mine: PhotoFiling, filings: readonly PhotoFiling[]): OtherUse[] {
  const others = filings
    .filter(({ reportId }) => reportId !== mine.reportId)
    .sort((a, b) => (a.reportId < b.reportId ? -1 : 1));
  return PHOTO_USES.flatMap((use) => {
    const first = others.find((other) => useOf(mine, other) === use);
    return first === undefined ? [] : [{ use, reportId: first.reportId }];
  });
}

function useOf(mine: PhotoFiling, other: PhotoFiling): PhotoUse | null {
  if (mine.patientId !== other.patientId) {
    // Where one names nobody, nothing says that it is another.
    return mine.patientId === null || other.patientId === null ? null : 'other_patient';
  }
  const isSameTime = mine.capturedAt.getTime() === other.capturedAt.getTime();
  if (isSameWound(mine, other)) {
    // Another analysis of the photo itself stands in its place in the series.
    if (mine.imageId === other.imageId && (isSameTime || mine.rootId === other.rootId)) return null;
    // The first of them is a visit, and those that follow are its copies.
    return other.reportId < mine.reportId ? 'other_time' : null;
  }
  if (!isSameTime) return 'other_time';
  return mine.isPlaced && mine.outline !== other.outline ? null : 'other_wound';
}

/** A wound without a number is told apart by its place alone. */
function isSameWound(one: PhotoFiling, other: PhotoFiling): boolean {
  if (one.rootId === other.rootId) return true;
  if (one.isNumbered && other.isNumbered) return false;
  const differ = <T>(a: T | null, b: T | null) => a !== null && b !== null && a !== b;
  return !differ(one.laterality, other.laterality) && !differ(one.site, other.site);
}
