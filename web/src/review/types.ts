import type { DeskDraftView } from '../../../src/doors/native/review-desk/desk.views.js';

export type { ReportView as Report } from '../../../src/doors/native/reports/report.views.js';
export type {
  DeskCourseView as DeskCourse,
  DeskDraftView as DeskDraft,
  DeskFormView as DeskFormFacts,
  DeskLastingView as DeskLasting,
  DeskSessionView as DeskSession,
  ReportBannerView as Banner,
  KeptDraftView as KeptDraft,
  SeriesEntryView as SeriesEntry,
  SurroundingsView as Surroundings,
} from '../../../src/doors/native/review-desk/desk.views.js';

/** A ring of points in pixels of the photo; the last is the first. */
export type Point = readonly [number, number];
/** From end to end. */
export type Line = readonly [Point, Point];
export interface Polygon {
  readonly type: 'Polygon';
  readonly coordinates: readonly (readonly Point[])[];
}

/** What a person changed: the outlines, and the scale where they set one. */
export interface Work {
  readonly outlines: readonly Polygon[];
  /** null: that of the report. */
  readonly mmPerPixel: number | null;
}

/** What its person has not decided yet, as the service has it. */
export type Draft = NonNullable<DeskDraftView['draft']>;
/** What was typed in the form of the wound; a row that nobody touched is absent. */
export type Statements = NonNullable<Draft['work']['stated']>;
export type DraftContent = Pick<Draft, 'reportVersion' | 'work'>;
