import { randomBytes } from 'node:crypto';

/** A file of a kept message whose bytes lie in the object store; the message has a token in the place of their Base64. */
export interface StoredFile {
  readonly token: string;
  readonly objectKey: string;
  /** Of the bytes, hex, lower case. */
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** Characters of Base64 alone, so that neither an escape nor a character set touches them; shorter than any file in a message. */
const TOKEN_BYTES = 30;

/** A token that nothing else in a message can be. */
export function newFileToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64');
}

/** In one line, padded: how files are written, and how they are put in again. */
export function base64Of(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

/** Characters of so many bytes in Base64. */
export function base64Length(sizeBytes: number): number {
  return Math.ceil(sizeBytes / 3) * 4;
}

/** Those of the files whose token is in the message. */
export function filesIn<File extends StoredFile>(message: Buffer, files: readonly File[]): readonly File[] {
  return files.filter(({ token }) => message.includes(token, 0, 'latin1'));
}

/** Bytes of the message once its files are put in. */
export function sizeWithFiles(message: Buffer, files: readonly StoredFile[]): number {
  return files.reduce((size, { token, sizeBytes }) => size - token.length + base64Length(sizeBytes), message.length);
}

/** The message with each token replaced by the text that is given for it, in ASCII. */
export function fillTokens(message: Buffer, texts: ReadonlyMap<string, string>): Buffer {
  const places = [...texts]
    .map(([token, text]) => ({ at: message.indexOf(token, 0, 'latin1'), token, text }))
    .filter(({ at }) => at !== -1)
    .sort((one, other) => one.at - other.at);
  const grown = places.reduce((length, { token, text }) => length - token.length + text.length, message.length);
  const filled = Buffer.allocUnsafe(grown);
  let [from, to] = [0, 0];
  for (const { at, token, text } of places) {
    to += message.copy(filled, to, from, at);
    to += filled.write(text, to, 'latin1');
    from = at + token.length;
  }
  message.copy(filled, to, from);
  return filled;
}
