export interface TreeEntry {
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link';
  readonly mode: number;
  readonly owner?: number;
  readonly sizeBytes?: number;
  readonly source?: string;
  readonly bytes?: Buffer;
  readonly target?: string;
}

export class FileTree {
  readonly sizeBytes: number;
  addFolder(path: string, wish?: { readonly mode?: number; readonly owner?: number }): void;
  addText(path: string, text: string, mode?: number): void;
  addFrom(source: string, path: string, keeps?: (below: string) => boolean): Promise<void>;
  list(): readonly TreeEntry[];
}
