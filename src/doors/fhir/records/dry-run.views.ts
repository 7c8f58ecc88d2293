/** What is said of a place of the resource. */
export interface DryRunIssue {
  readonly severity: string;
  /** FHIRPath from the pasted resource on; null: it is about the whole. */
  readonly expression: string | null;
  readonly text: string;
}

/** What one entry would come to. */
export interface DryRunEntry {
  readonly index: number;
  /** `POST Patient`. */
  readonly request: string;
  /** created: new; matched: there is one already; refused: `issues` says why. */
  readonly outcome: 'created' | 'matched' | 'updated' | 'read' | 'ignored' | 'refused';
}

/** What a resource or Bundle would do if a client posted it. */
export interface FhirDryRunView {
  readonly kind: 'transaction' | 'batch' | 'resource';
  /** False: nothing of a transaction, or not all of a batch, would be taken. */
  readonly taken: boolean;
  readonly entries: readonly DryRunEntry[];
  /** Analyses that it would ask for, each of which would be charged. */
  readonly analyses: number;
  readonly issues: readonly DryRunIssue[];
}
