import { replacePieces, type EncodedFile } from './encoded-files.js';
import { fillTokens, type StoredFile } from './stored-file.js';

/** A file that was removed from a stored message. */
export interface ErasedFile {
  /**
   * The erased image, of which the file was the photo, or a document that shows it. null: an operator removed the file
   * from this message alone.
   */
  readonly imageId: string | null;
  /** Size of the decoded file, not of its text in the message. */
  readonly sizeBytes: number;
  /** RFC 3339, UTC. */
  readonly erasedAt: string;
}

/** The text that takes the place of the file. ASCII, without any delimiter. */
export function erasureNote({ sizeBytes, erasedAt }: Omit<ErasedFile, 'imageId'>): string {
  return `ERASED ${sizeBytes} BYTES ${erasedAt}`;
}

/** Removes files from a message; `erased` describes each. */
export function withoutFiles(
  bytes: Buffer,
  files: readonly EncodedFile[],
  { imageId, erasedAt }: Omit<ErasedFile, 'sizeBytes'>,
): { readonly left: Buffer; readonly erased: readonly ErasedFile[] } {
  const left = replacePieces(bytes, files, ({ sizeBytes }) => erasureNote({ sizeBytes, erasedAt }));
  return { left, erased: files.map(({ sizeBytes }) => ({ imageId, sizeBytes, erasedAt })) };
}

/** As `withoutFiles`, for files that the object store has, and the message a token of. */
export function withoutStoredFiles(
  bytes: Buffer,
  files: readonly StoredFile[],
  { imageId, erasedAt }: Omit<ErasedFile, 'sizeBytes'>,
): { readonly left: Buffer; readonly erased: readonly ErasedFile[] } {
  const notes = new Map(files.map(({ token, sizeBytes }) => [token, erasureNote({ sizeBytes, erasedAt })]));
  return { left: fillTokens(bytes, notes), erased: files.map(({ sizeBytes }) => ({ imageId, sizeBytes, erasedAt })) };
}
