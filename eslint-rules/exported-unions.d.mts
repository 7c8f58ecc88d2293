export function exportedUnions(root: string, folders: readonly string[]): Readonly<Record<string, string>>;
export function keyOf(members: readonly string[]): string;
