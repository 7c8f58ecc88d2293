import { Injectable } from '@nestjs/common';
import { intactBytes, ObjectStore } from '../../../core/images/object-store.js';
import { digestOf } from '../../../platform/turns/digest.js';
import { ownTurnFor } from '../../../platform/turns/turns.js';
import { FileCache } from './file-cache.js';
import { base64Of, fillTokens, type StoredFile } from '../er7/stored-file.js';

/** A message with those of its files that the object store has. */
export interface MessageWithFiles<File> {
  /** Tokens of lost files stand in it as they were. */
  readonly bytes: Buffer;
  /** Files that the store has lost or altered. */
  readonly lost: readonly File[];
}

/** Reads the files of kept messages from the object store. */
@Injectable()
export class MessageFileStore {
  private readonly recent = new FileCache();

  constructor(private readonly store: ObjectStore) {}

  /** A message is being made with these bytes, which the object store has: it will mostly leave at once. */
  remember(file: Pick<StoredFile, 'objectKey' | 'sha256'>, bytes: Uint8Array): void {
    this.recent.put(file, bytes);
  }

  /** Puts its files into a message, each by its digest. Throws where the store cannot be asked: what it does not say is not lost. */
  async fill<File extends StoredFile>(bytes: Buffer, files: readonly File[] | null): Promise<MessageWithFiles<File>> {
    if (files === null || files.length === 0) return { bytes, lost: [] };
    const texts = new Map<string, string>();
    const lost: File[] = [];
    for (const file of files) {
      const found = this.recent.find(file) ?? (await this.read(file));
      if (found === null) lost.push(file);
      else {
        await ownTurnFor(found);
        texts.set(file.token, base64Of(found));
      }
    }
    // A store that is away as a whole, such as a volume that is not mounted, has lost nothing.
    if (lost.length > 0) await this.store.check();
    return { bytes: fillTokens(bytes, texts), lost };
  }

  /** null: the store does not have these bytes. */
  async read({ objectKey, sha256 }: Pick<StoredFile, 'objectKey' | 'sha256'>): Promise<Uint8Array | null> {
    const bytes = await intactBytes(this.store, objectKey);
    return bytes !== null && (await digestOf('sha256', bytes)).toString('hex') === sha256 ? bytes : null;
  }
}

/** The message as people read it: where the store lost a file, a word in its place. ASCII, without any delimiter. */
export function readable({ bytes, lost }: MessageWithFiles<StoredFile>): Buffer {
  return fillTokens(bytes, new Map(lost.map((file) => [file.token, lostNote(file)])));
}

/** The text in the place of a file that the object store lost. */
export function lostNote({ sizeBytes }: Pick<StoredFile, 'sizeBytes'>): string {
  return `LOST ${sizeBytes} BYTES`;
}
