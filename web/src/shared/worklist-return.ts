/** Where the worklist is that a desk of this tab was opened from: in the tab alone, and no clinical word. */
const KEY = 'sutura.worklist';

/** Noted when the console opens a desk from its worklist or caseload. */
export function rememberWorklist(organizationId: string, environment: string): void {
  const address = `/console/worklist?${new URLSearchParams({ organizationId, environment }).toString()}`;
  try {
    sessionStorage.setItem(KEY, address);
  } catch {
    // A browser that keeps nothing has no way back; the person has the browser's own.
  }
}

/** The address of the list; null: this desk was opened from somewhere else. */
export function worklistAddress(): string | null {
  try {
    const address = sessionStorage.getItem(KEY);
    return address?.startsWith('/console/worklist?') === true ? address : null;
  } catch {
    return null;
  }
}
