const FILES = ['caFile', 'certFile', 'keyFile'] as const;

/** The files of the gateway's machine that the settings of a listener or destination name, or a patch of them. */
export function filesNamedIn({ tls }: { readonly tls?: unknown } = {}): string[] {
  if (typeof tls !== 'object' || tls === null) return [];
  return FILES.map((name) => (tls as Readonly<Record<string, unknown>>)[name]).filter(
    (file) => typeof file === 'string',
  );
}
