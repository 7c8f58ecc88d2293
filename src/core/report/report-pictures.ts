/** A photo with its outline drawn on, free of any metadata. */
export interface ReportPicture {
  readonly imageId: string;
  /** JPEG. */
  readonly bytes: Uint8Array;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly capturedAt: Date;
}

/** The pictures of a report; null where there is none or the photo was deleted. */
export interface ReportPictures {
  readonly current: ReportPicture | null;
  readonly previous: ReportPicture | null;
}
