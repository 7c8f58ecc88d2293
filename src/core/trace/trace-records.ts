import type { PhotoPlace, PhotoRecord, TracedOrder, TraceFinding } from './trace.js';

/**
 * Core's records of photos, for operators: over all tenants, never reached from a caller's key. Whatever is asked of many is asked at once: a
 * patient's photos would take a round trip for each otherwise.
 */
export abstract class TraceRecords {
  /** The meanings of what a person typed: images, analyses, reports, wounds and patients by their id, patients by a number. Empty: unknown. */
  abstract find(id: string): Promise<readonly TraceFinding[]>;
  /** Images, analyses, reports and wounds by ids that other stores named. What is unknown is absent. */
  abstract findAll(ids: readonly string[]): Promise<ReadonlyMap<string, readonly TraceFinding[]>>;
  /** The accesses and refusals of each request, from the audit trail. What is unknown is absent. */
  abstract findRequests(requestIds: readonly string[]): Promise<ReadonlyMap<string, readonly TraceFinding[]>>;
  /** In the order asked; without those that are unknown. */
  abstract photos(places: readonly PhotoPlace[]): Promise<readonly PhotoRecord[]>;
  /** Orders by their ids, which are those of their jobs. Absent: there was none, or the photo came with it. */
  abstract orders(ids: readonly string[]): Promise<ReadonlyMap<string, TracedOrder>>;
}
