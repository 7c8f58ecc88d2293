import type { CallOptions } from './options.js';

/** What came of a sample, sent alone for a patient and a wound of its own, analysed with `seenWith`. No promise of another model. */
export interface SampleSeen {
  job: 'completed' | 'refused';
  /** The code of the refusal; null: none, and the rest is null with one. */
  refusedWith: string | null;
  woundDetected: boolean | null;
  /** `quality.acceptable` of the result. */
  acceptable: boolean | null;
  outlineReliable: boolean | null;
  /** null where the outline is not reliable: another model draws another one. */
  outlines: number | null;
  /** To a tenth of a cm²; null as `outlines`, and without a scale. */
  areaCm2: number | null;
  /** Of the wound bed, 0 to 1, to a hundredth; null as `areaCm2`, or none. */
  necrosisShare: number | null;
  /** `quality.warnings` of the result. */
  warnings: string[];
  /** Why its report waits for a person; empty: it does not. */
  attention: string[];
}

/** A photo that was drawn for tests. Nobody is shown. */
export interface Sample {
  name: string;
  shows: string;
  contentType: string;
  sizeBytes: number;
  /** Hex. */
  sha256: string;
  /** Pixels, as `height`. */
  width: number;
  height: number;
  /** Of the larger wound, as it was drawn; null: none was. */
  drawnAreaCm2: number | null;
  /** Its place in a series; null: it stands alone. */
  series: { name: string; number: number } | null;
  seen: SampleSeen;
  links: { photo: string };
}

/** Photos of one wound, sent in their order for one patient and wound. */
export interface SampleSeries {
  name: string;
  /** Days between the `capturedAt` of one photo and the next. */
  daysApart: number;
  /** Of the last report. */
  seen: { verdict: string; flags: string[] };
}

/** All samples of the service, and what the models of `seenWith` made of them. */
export interface SampleList {
  items: Sample[];
  nextCursor: string | null;
  series: SampleSeries[];
  seenWith: { name: string; version: string; sha256: string }[];
  /** YYYY-MM-DD. */
  seenOn: string;
  /** false: this installation analyses with other models, which may answer otherwise. */
  seenWithActiveModels: boolean;
}

/** The name of a sample and then the options, or both in one object. */
export type OfSample = [name: string, options?: CallOptions] | [options: CallOptions & { name: string }];
