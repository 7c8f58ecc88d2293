/** Deliveries of one EHR by state. `held`: by what the EHR or its records say; `parked`: by a person. */
export interface PushCount {
  readonly waiting: number;
  readonly sent: number;
  readonly held: number;
  readonly parked: number;
}

/** What went to EHRs. The exit that files results brings it. */
export abstract class PushCounts {
  /** In the order asked. */
  abstract of(ehrIds: readonly string[]): Promise<readonly PushCount[]>;
}
