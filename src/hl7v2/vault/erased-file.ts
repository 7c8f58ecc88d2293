/** A file that was taken out of a kept message. */
export interface ErasedFile {
  /** The image that was erased: the file was its photo, or a document that shows it. */
  readonly imageId: string;
  /** Of the file itself, not of its text in the message. */
  readonly sizeBytes: number;
  /** RFC 3339, UTC. */
  readonly erasedAt: string;
}

/** What stands in a message where the file was. ASCII, without any delimiter. */
export function erasureNote({ sizeBytes, erasedAt }: Omit<ErasedFile, 'imageId'>): string {
  return `ERASED ${sizeBytes} BYTES ${erasedAt}`;
}
