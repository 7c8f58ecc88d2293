import type { TracedPhoto, TraceEvent, TraceFinding } from './trace.js';

/** The store of a door as the source of a photo's trace, for operators: over all tenants, never reached from a caller's key. */
export abstract class TraceSource {
  /** The meanings of an id here; each by an index. Empty: unknown. */
  abstract find(id: string): Promise<readonly TraceFinding[]>;
  /** The events of the photo here, in any order. */
  abstract eventsOf(photo: TracedPhoto): Promise<readonly TraceEvent[]>;
}
