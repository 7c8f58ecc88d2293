/** The hold of one process on an export. */
export interface ExportHold {
  readonly holder: string;
  readonly seconds: number;
  /** Waits; throws once the process stops. */
  pause(ms: number): Promise<void>;
}

/** Nobody works on it any more: it was cancelled, a patient was erased, or another process has it. */
export class HoldLost extends Error {}

/** After that long another export has its turn. */
export const TURN_MS = 5000;

/** Throws HoldLost. */
export function requireHold(isHeld: boolean): void {
  if (!isHeld) throw new HoldLost();
}
