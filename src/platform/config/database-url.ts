/** What libpq's `sslmode` may be here; without it there is no TLS. */
export const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'] as const;
export type SslMode = (typeof SSL_MODES)[number];

/** A connection URI as libpq reads it (PostgreSQL 34.1.1.2). */
export interface DatabaseUrl {
  /** The same address with one host each, in the order in which they are tried, without what is said of TLS. */
  readonly urls: readonly string[];
  readonly sslMode: SslMode;
  readonly files: Readonly<Partial<Record<SslFile, string>>>;
}

export const SSL_FILES = ['sslrootcert', 'sslcert', 'sslkey'] as const;
export type SslFile = (typeof SSL_FILES)[number];

const URI = /^(postgres(?:ql)?):\/\/((?:[^/?#]*@)?)([^/?#@]*)(\/[^?#]*)?(?:\?([^#]*))?$/;
const HOST = /^(?:\[[0-9a-f:.]+\]|[^\s:[\]]*)(?::(\d{1,5}))?$/i;
const LARGEST_PORT = 65_535;

/** What is wrong with the address, in words that do not repeat it; null: nothing. */
export function faultOfDatabaseUrl(text: string): string | null {
  const [, , , hosts, , query = ''] = URI.exec(text) ?? [];
  if (hosts === undefined) return 'must be postgres://user:password@host:5432/database; several hosts by commas';
  const isHost = (host: string): boolean => {
    const [found, port] = HOST.exec(host) ?? [];
    return found !== undefined && Number(port ?? 0) <= LARGEST_PORT;
  };
  if (!hosts.split(',').every(isHost))
    return 'has a host that is not host:port. Signs such as @ : / in a password are written as %40 %3A %2F';
  const mode = new URLSearchParams(query).get('sslmode');
  if (mode !== null && !isSslMode(mode)) return `sslmode must be one of ${SSL_MODES.join(', ')}`;
  if (mode === 'verify-ca' && !new URLSearchParams(query).has('sslrootcert'))
    return 'sslmode=verify-ca needs sslrootcert, the file of the authority';
  return null;
}

/** Reads an address in which `faultOfDatabaseUrl` finds nothing. */
export function parseDatabaseUrl(text: string): DatabaseUrl {
  const [, scheme, account = '', hosts = '', path = '', query = ''] = URI.exec(text) ?? [];
  if (scheme === undefined) return { urls: [text], sslMode: 'disable', files: {} };
  const parameters = new URLSearchParams(query);
  const files = Object.fromEntries(
    SSL_FILES.flatMap((name) => (parameters.has(name) ? [[name, parameters.get(name)!]] : [])),
  );
  const mode = parameters.get('sslmode');
  const sslMode = mode !== null && isSslMode(mode) ? mode : Object.keys(files).length > 0 ? 'verify-full' : 'disable';
  const isOfTls = (part: string): boolean => ['sslmode', ...SSL_FILES].includes(part.split('=')[0]!);
  const others = query.split('&').filter((part) => part !== '' && !isOfTls(part));
  const rest = `${path}${others.length > 0 ? `?${others.join('&')}` : ''}`;
  return { urls: hosts.split(',').map((host) => `${scheme}://${account}${host}${rest}`), sslMode, files };
}

function isSslMode(text: string): text is SslMode {
  return (SSL_MODES as readonly string[]).includes(text);
}
