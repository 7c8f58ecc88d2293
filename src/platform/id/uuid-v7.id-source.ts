import { v7 } from 'uuid';
import { IdSource } from '../../core/ports/id-source.js';

/** UUIDv7, lower case (RFC 9562 5.7). */
export class UuidV7IdSource extends IdSource {
  next(): string {
    return v7();
  }
}
