import type { FileMap } from './sum.mjs';

export function instrument(root: string, paths: readonly string[]): Record<string, FileMap>;
