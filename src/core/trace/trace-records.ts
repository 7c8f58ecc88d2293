import type { PhotoRecord, TracedOrder, TraceFinding } from './trace.js';
import type { Tenant } from '../tenancy/tenant.js';

/** Core's records of a photo, for operators: over all tenants, never reached from a caller's key. */
export abstract class TraceRecords {
  /** Images, analyses, reports and wounds by their id. Empty: unknown. */
  abstract find(id: string): Promise<readonly TraceFinding[]>;
  /** The accesses and refusals of a request, from the audit trail. An id that the service issued contains its time; others are looked for among the newest rows. */
  abstract findRequest(requestId: string): Promise<readonly TraceFinding[]>;
  /** null: no such image. */
  abstract photo(tenant: Tenant, imageId: string): Promise<PhotoRecord | null>;
  /** An order by its id, which is that of its job; null: there was none, or the photo came with it. */
  abstract order(id: string): Promise<TracedOrder | null>;
}
