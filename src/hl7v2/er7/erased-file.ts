import { replacePieces, type EncodedFile } from './encoded-files.js';

/** A file that was taken out of a kept message. */
export interface ErasedFile {
  /** The image that was erased: the file was its photo, or a document that shows it. null: an operator had the file taken out of this message alone. */
  readonly imageId: string | null;
  /** Of the file itself, not of its text in the message. */
  readonly sizeBytes: number;
  /** RFC 3339, UTC. */
  readonly erasedAt: string;
}

/** What stands in a message where the file was. ASCII, without any delimiter. */
export function erasureNote({ sizeBytes, erasedAt }: Omit<ErasedFile, 'imageId'>): string {
  return `ERASED ${sizeBytes} BYTES ${erasedAt}`;
}

/** A message without some of its files, and what is said of each. */
export function withoutFiles(
  bytes: Buffer,
  files: readonly EncodedFile[],
  { imageId, erasedAt }: Omit<ErasedFile, 'sizeBytes'>,
): { readonly left: Buffer; readonly erased: readonly ErasedFile[] } {
  const left = replacePieces(bytes, files, ({ sizeBytes }) => erasureNote({ sizeBytes, erasedAt }));
  return { left, erased: files.map(({ sizeBytes }) => ({ imageId, sizeBytes, erasedAt })) };
}
