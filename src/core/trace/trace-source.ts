import type { TracedPhoto, TraceEvent, TraceFinding } from './trace.js';

/** The store of a door as the source of a photo's trace, for operators: over all tenants, never reached from a caller's key. */
export abstract class TraceSource {
  /** The meanings of an id here; each by an index. Empty: unknown. */
  abstract find(id: string): Promise<readonly TraceFinding[]>;
  /** The events of each photo here, in any order, by image id; all photos are asked for at once. A photo without any may be absent. */
  abstract eventsOf(photos: readonly TracedPhoto[]): Promise<ReadonlyMap<string, readonly TraceEvent[]>>;
}
