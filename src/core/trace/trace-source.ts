import type { TracedPhoto, TraceEvent, TraceFinding } from './trace.js';

/** What the store of a door says of a photo, for operators: over all tenants, never reached from a caller's key. */
export abstract class TraceSource {
  /** What an id is here; each by an index. Empty: unknown. */
  abstract find(id: string): Promise<readonly TraceFinding[]>;
  /** What happened to the photo here, in any order. */
  abstract eventsOf(photo: TracedPhoto): Promise<readonly TraceEvent[]>;
}
