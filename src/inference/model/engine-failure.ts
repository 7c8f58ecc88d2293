/** The reasons for which an inference server could not be used; as the metric names them. */
export const ENGINE_FAILURES = ['unreachable', 'timeout', 'busy', 'refused', 'malformed', 'mismatch'] as const;
export type EngineFailureReason = (typeof ENGINE_FAILURES)[number];

/** The server took no part in the run, so the failure says nothing of the picture. */
const ABSENT: readonly EngineFailureReason[] = ['unreachable', 'timeout', 'busy'];

/** One request that an inference server did not answer as the protocol wants. The message continues the server's address, and has no clinical text. */
export class EngineFailure extends Error {
  constructor(
    readonly reason: EngineFailureReason,
    message: string,
  ) {
    super(message);
    this.name = 'EngineFailure';
  }

  get isAbsence(): boolean {
    return ABSENT.includes(this.reason);
  }
}

/** What an inference server does to the work of this process. */
export type EngineEvent =
  | {
      readonly what: 'failed';
      /** Host and port. */
      readonly server: string;
      readonly reason: EngineFailureReason;
      readonly detail: string;
    }
  /** No server can be used: photos have to wait. */
  | { readonly what: 'away' }
  | { readonly what: 'back' };
