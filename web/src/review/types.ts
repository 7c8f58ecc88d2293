/** A ring of points in pixels of the photo; the last is the first. */
export type Point = readonly [number, number];
export interface Polygon {
  readonly type: 'Polygon';
  readonly coordinates: readonly (readonly Point[])[];
}

/** Who may do what at this desk, and which reports there are. */
export interface DeskSession {
  readonly mode: 'read' | 'review';
  readonly of: 'report' | 'wound';
  readonly reportId: string;
  readonly person: string | null;
  readonly language: string | null;
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
