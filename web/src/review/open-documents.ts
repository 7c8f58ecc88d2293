/** Tabs in which this page opened documents. */
const tabs = new Set<Window>();

/**
 * Opens a document in a tab of its own, which goes with this page: what it shows is of the patient whose desk this is. False where the browser opened
 * none.
 */
export function openDocument(address: string): boolean {
  for (const tab of tabs) if (tab.closed) tabs.delete(tab);
  if (tabs.size === 0) window.addEventListener('pagehide', closeDocuments, { once: true });
  const tab = window.open(address, '_blank');
  if (tab === null) return false;
  // A page that the tab goes on to shall not reach this one.
  tab.opener = null;
  tabs.add(tab);
  return true;
}

/** The desk has ended, or its page goes. A tab in which somebody went on to another site is theirs. */
export function closeDocuments(): void {
  for (const tab of tabs) if (isHere(tab)) tab.close();
  tabs.clear();
}

function isHere(tab: Window): boolean {
  try {
    // Of another site it cannot be read.
    return tab.location.origin === window.location.origin;
  } catch {
    return false;
  }
}
