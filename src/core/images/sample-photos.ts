/** A model by the digest of its weights. */
export interface SeenModel {
  readonly name: string;
  readonly version: string;
  /** SHA-256, hex. */
  readonly sha256: string;
}

/** What came of a sample photo that was sent to a gateway alone, with a patient and a wound of its own. */
export interface SeenAnswer {
  readonly job: 'completed' | 'refused';
  /** The code of the refusal; null: none. */
  readonly refusedWith: string | null;
  /** The rest is null where there was no result. */
  readonly woundDetected: boolean | null;
  /** Of the photo: false where another one should be taken. */
  readonly acceptable: boolean | null;
  readonly outlineReliable: boolean | null;
  /** null where the outline is not reliable, too: another model outlines something else there. */
  readonly outlines: number | null;
  /** Of the outline that counts, to a tenth. null: there was none, no scale, or its outline is not reliable. */
  readonly areaCm2: number | null;
  /** Share of the wound bed, to a hundredth; null as areaCm2, or below 0.01. */
  readonly necrosisShare: number | null;
  readonly warnings: readonly string[];
  /** Why its report waits for a person; empty: it does not. */
  readonly attention: readonly string[];
}

/** A photo that was drawn for tests of integrations. Nobody is shown. */
export interface SamplePhoto {
  /** One segment of a path, such as clean-wound. */
  readonly name: string;
  readonly shows: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  /** SHA-256, hex. */
  readonly sha256: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Of the larger wound, as it was drawn; null: none was. */
  readonly drawnAreaCm2: number | null;
  /** null: it stands alone. */
  readonly series: { readonly name: string; readonly number: number } | null;
  readonly seen: SeenAnswer;
}

/** Photos of one wound, sent in their order for one patient and wound, so many days apart. */
export interface SampleSeries {
  readonly name: string;
  readonly daysApart: number;
  /** Of the last report. */
  readonly seen: { readonly verdict: string; readonly flags: readonly string[] };
}

export interface SampleSet {
  /** The models whose answers were seen. */
  readonly seenWith: readonly SeenModel[];
  /** The day on which they were, YYYY-MM-DD. */
  readonly seenOn: string;
  readonly samples: readonly SamplePhoto[];
  readonly series: readonly SampleSeries[];
}

/** The sample photos that come with the service. */
export abstract class SamplePhotos {
  abstract collection(): SampleSet;
  /** The photo itself; null: there is none of that name. */
  abstract bytesOf(name: string): Promise<Uint8Array | null>;
}
