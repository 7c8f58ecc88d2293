/** The reference tokens of a JSON Pointer (RFC 6901) that is not empty. */
export function tokensOf(pointer: string): string[] {
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value that a JSON Pointer leads to, over own members alone; undefined where there is none. */
export function valueAt(root: unknown, pointer: string): unknown {
  return tokensOf(pointer).reduce<unknown>(
    (place, token) =>
      typeof place === 'object' && place !== null && Object.hasOwn(place, token)
        ? (place as Record<string, unknown>)[token]
        : undefined,
    root,
  );
}
