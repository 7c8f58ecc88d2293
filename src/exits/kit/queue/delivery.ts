/**
 * waiting → delivered | parked | collapsed | moved; parked → waiting | discarded | moved; delivered → waiting by a replay. `collapsed`: a final
 * version took its place before it was ever sent. `moved`: another endpoint was given it.
 */
export const DELIVERY_STATES = ['waiting', 'delivered', 'parked', 'discarded', 'collapsed', 'moved'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Values of columns that an exit has beside those of the kit, by column. */
export type Columns = Readonly<Record<string, unknown>>;

/** A new delivery. */
export interface NewDelivery {
  /** The record that it is about; with `version`, unique per endpoint. */
  readonly subjectId: string;
  /** Of the subject, from 1. */
  readonly version: number;
  /** Deliveries of one lane keep their order where the endpoint orders by lane. */
  readonly lane: string;
  /** A final version follows: this one may be collapsed. */
  readonly preliminary: boolean;
  /** The body, once the delivery's number is known; called at most once. */
  write(number: number): WrittenDelivery;
}

export interface WrittenDelivery {
  readonly bytes: Buffer;
  readonly columns: Columns;
}

/** Keeps bodies, encrypted or as they are. `id`: of the delivery that the body belongs to. */
export interface BodyStore {
  seal(bytes: Buffer, id: string): Buffer;
  /** Throws the queue's `sealed` where none of the keys that are set opens it. */
  open(kept: Buffer, id: string): Buffer;
}

/** Bodies are stored in plain: the database itself protects them. */
export const PLAIN_BODIES: BodyStore = { seal: (bytes) => bytes, open: (kept) => kept };
