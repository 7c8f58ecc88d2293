import type { MeasuredArea } from '../../../src/core/measurement/wound-result.js';

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

/** Who may do what at this desk, and which reports there are. */
export interface DeskSession {
  readonly mode: 'read' | 'review';
  readonly of: 'report' | 'wound';
  readonly reportId: string;
  readonly person: string | null;
  readonly language: string | null;
  /** Of the page around this one; null: there is none. */
  readonly frameOrigin: string | null;
  readonly expiresAt: string;
  readonly csrfToken: string;
  /** Of a wound: oldest photo first. */
  readonly series: readonly SeriesEntry[];
}

export interface SeriesEntry {
  readonly reportId: string;
  readonly sequence: number;
  readonly status: string;
  readonly capturedAt: string;
  readonly areaCm2: { readonly value: number; readonly lower: number; readonly upper: number } | null;
}

export interface Report {
  readonly id: string;
  readonly version: number;
  readonly status: string;
  readonly capturedAt: string;
  readonly findings: {
    readonly photo: { readonly widthPx: number; readonly heightPx: number };
    readonly outlines: readonly Polygon[];
    readonly outlineSource: string;
    readonly figures: { readonly area: MeasuredArea } | null;
    /** Where there are several. */
    readonly wounds?: readonly { readonly counted: boolean; readonly figures: { readonly area: MeasuredArea } }[];
    readonly tissue: Readonly<Record<string, unknown>> | null;
    readonly scale: Scale;
  };
  readonly review: {
    readonly decision: string;
    readonly reviewer: { readonly name: string };
    readonly reviewedAt: string;
  } | null;
}

/** As the server states it; `planeScaleOf` reads it. */
export interface Scale {
  readonly source: string;
  readonly mmPerPixel: number | null;
}
