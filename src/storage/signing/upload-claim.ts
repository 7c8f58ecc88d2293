/** The path, below the public address, at which signed uploads arrive. */
export const UPLOAD_PATH = '/storage/uploads';

/** The facts under a signature. */
export interface UploadClaim {
  readonly imageId: string;
  readonly expiresMs: number;
  readonly maxBytes: number;
  /** null: not announced, so any. */
  readonly contentType: string | null;
  readonly contentLength: number | null;
}

/** The exact text under the signature. Every line is one fact, an absent one is an empty line. */
export function signedText(claim: UploadClaim): string {
  const { imageId, expiresMs, maxBytes, contentType, contentLength } = claim;
  return [
    'v1',
    'PUT',
    `${UPLOAD_PATH}/${imageId}`,
    imageId,
    expiresMs,
    maxBytes,
    contentType ?? '',
    contentLength ?? '',
  ].join('\n');
}
