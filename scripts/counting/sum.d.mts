/** The line of each statement of a file, and how many branches it has. */
export interface FileMap {
  readonly lines: readonly number[];
  readonly branches: number;
}

export interface Coverage {
  readonly lines: number;
  readonly linesRun: number;
  readonly branches: number;
  readonly branchesRun: number;
}

export function sumUp(maps: Readonly<Record<string, FileMap>>, folders: readonly string[]): Map<string, Coverage>;
