const WORDS: Readonly<Record<string, string>> = {
  EEXIST: 'is there already. Name another place, or remove it.',
  ENOENT: 'cannot be made or read: it, or the folder that it lies in, is not there.',
  ENOTDIR: 'cannot be used: a part of this path is a file, not a folder.',
  EISDIR: 'is a folder. Name a file.',
  EACCES: 'is closed to this account. Change its rights, or name another place.',
  EPERM: 'is closed to this account. Change its rights, or name another place.',
  EROFS: 'lies on a disk that can only be read. Name another place.',
  ENOSPC: 'finds no room: the disk is full. Make room, and try again.',
  EDQUOT: 'finds no room: the quota of this account is used up. Make room, and try again.',
};

/** What a person does about a file or folder that they named; null for any other fault. */
export function adviceOnFile(fault: unknown): string | null {
  const { code, path } = (fault ?? {}) as { readonly code?: unknown; readonly path?: unknown };
  const words = typeof code === 'string' ? WORDS[code] : undefined;
  return words === undefined || typeof path !== 'string' ? null : `${path} ${words}`;
}
