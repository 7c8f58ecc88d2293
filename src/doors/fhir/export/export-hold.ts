/** The lease of one process on an export. */
export interface ExportHold {
  readonly holder: string;
  readonly seconds: number;
  /** Waits; throws once the process stops. */
  pause(ms: number): Promise<void>;
}

/** The export was cancelled, a patient was erased, or another process claimed it. */
export class HoldLost extends Error {}

/** After this long another export is served. */
export const TURN_MS = 5000;

/** Throws HoldLost. */
export function requireHold(isHeld: boolean): void {
  if (!isHeld) throw new HoldLost();
}
