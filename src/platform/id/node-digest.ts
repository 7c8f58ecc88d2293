import { createHash } from 'node:crypto';
import { Digest } from '../../core/ports/image-inspector.js';

export class NodeDigest extends Digest {
  sha256(bytes: Uint8Array): string {
    return createHash('sha256').update(bytes).digest('hex');
  }
}
