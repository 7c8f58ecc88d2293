/** What the pages of web/ are built from. */
export const OF_THE_PAGES: readonly string[];
/** The paths, in the lock file's `packages`, of these packages and of all that they need. */
export function pathsBelow(packages: Readonly<Record<string, object>>, names: readonly string[]): Set<string>;
