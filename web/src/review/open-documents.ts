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
  if (tab !== null) tabs.add(tab);
  return tab !== null;
}

/** The desk has ended, or its page goes. */
export function closeDocuments(): void {
  for (const tab of tabs) tab.close();
  tabs.clear();
}
