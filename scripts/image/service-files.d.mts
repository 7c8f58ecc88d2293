import type { FileTree } from './file-tree.mjs';

export const SERVICE_FOLDER: string;
export const DATA_FOLDER: string;
export const ACCOUNT: { readonly name: string; readonly id: number };
export function serviceParts(root: string): Promise<{ readonly title: string; readonly tree: FileTree }[]>;
