import { SuturaError } from '../../core/errors/sutura-error.js';

/** Long enough for an operator to restart the other processes. */
const RETRY_AFTER_S = 30;

/**
 * Makes the next version of a document without changing the given one. Documents of older releases have no type any
 * more.
 */
type DocumentStep = (older: never) => unknown;

/**
 * Reads one kind of document that is stored as JSON by any release. The version beside it says how old it is, and it
 * is upgraded step by step. Writers write the present version alone (docs/decisions/0032).
 */
export class StoredDocuments<T> {
  readonly presentVersion: number;

  /**
   * @param name of the kind, in an error
   * @param steps the first makes version 2 of version 1, and so on
   */
  constructor(
    private readonly name: string,
    private readonly steps: readonly DocumentStep[],
  ) {
    this.presentVersion = steps.length + 1;
  }

  /** The document as this release knows it. `data.newer_release` if a later one wrote it. */
  read(document: unknown, version: number): T {
    if (version > this.presentVersion)
      throw new SuturaError('data.newer_release', { detail: this.adviceOn(version), retryAfterS: RETRY_AFTER_S });
    return this.steps.slice(version - 1).reduce<unknown>((older, step) => step(older as never), document) as T;
  }

  private adviceOn(version: number): string {
    return `A newer release of the service wrote this ${this.name} (version ${version}; this process reads up to ${this.presentVersion}). Try again after Retry-After; the operator has to start every process with that release.`;
  }
}
