import type { Tenant } from '../tenancy/tenant.js';

/** Bytes that came with a message and are no photo, such as a letter as PDF: kept and handed out, never looked into. */
export interface Attachment extends Tenant {
  readonly id: string;
  readonly status: 'staged' | 'stored';
  /** As the sender named it. */
  readonly contentType: string;
  readonly sizeBytes: number;
  /** Hex, lower case. */
  readonly sha256: string;
  readonly objectKey: string;
  readonly createdAt: Date;
}
