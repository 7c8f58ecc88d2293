export class BuildFolders {
  constructor(root: string);
  find(stamp: string): string | null;
  list(): readonly { readonly path: string; readonly usedMs: number }[];
  draft(stamp: string): string;
  isBeingMade(stamp: string): boolean;
  finish(draft: string, stamp: string): string;
  discard(draft: string): void;
  use(folder: string): void;
  prune(): void;
}
export function noteUse(folder: string): void;
