import type { PeerCertificate } from 'node:tls';

/** One entry in Node's notation, `DNS:ehr.example.org`; an entry that could be read as two is quoted as JSON. */
const ENTRY = /([A-Za-z ]+):("(?:\\.|[^"\\])*"|[^,"]*)(?:, |$)/gy;
const KINDS = ['DNS', 'IP Address', 'URI'];

/**
 * Common names of the subject, then DNS names, addresses and URIs of the certificate; each once, without mail
 * addresses.
 */
export function certificateNames({
  subject,
  subjectaltname,
}: Pick<PeerCertificate, 'subject' | 'subjectaltname'>): string[] {
  const common = subject?.CN as string | string[] | undefined;
  const alternatives = [...(subjectaltname ?? '').matchAll(ENTRY)]
    .filter(([, kind = '']) => KINDS.includes(kind))
    .map(([, , name = '']) => (name.startsWith('"') ? unquoted(name) : name));
  return [...new Set([...(common === undefined ? [] : [common].flat()), ...alternatives])].filter(
    (name) => name !== '',
  );
}

/** Case-insensitive, as host names are. */
export function isNamedIn(allowed: readonly string[], names: readonly string[]): boolean {
  const known = new Set(allowed.map((name) => name.toLowerCase()));
  return names.some((name) => known.has(name.toLowerCase()));
}

function unquoted(name: string): string {
  try {
    return String(JSON.parse(name));
  } catch {
    return '';
  }
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Whole days until a certificate expires; negative after that. */
export function certificateDays(expiresAt: Date, now: Date): number {
  return Math.floor((expiresAt.getTime() - now.getTime()) / DAY_MS);
}
