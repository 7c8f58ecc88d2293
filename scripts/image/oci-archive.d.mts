import type { FileTree } from './file-tree.mjs';

export function writeArchive(
  file: string,
  image: {
    readonly name: string;
    readonly createdS: number;
    readonly architecture: string;
    readonly config: object;
    readonly layers: readonly { readonly title: string; readonly tree: FileTree }[];
  },
): Promise<{ readonly imageId: string; readonly digest: string; readonly sizeBytes: number }>;
