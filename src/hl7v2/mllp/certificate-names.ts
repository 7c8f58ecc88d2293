import type { PeerCertificate } from 'node:tls';

/** One entry as Node writes it: `DNS:ehr.example.org`; what could be taken for two entries stands in quotes, as a JSON text. */
const ENTRY = /([A-Za-z ]+):("(?:\\.|[^"\\])*"|[^,"]*)(?:, |$)/gy;
const KINDS = ['DNS', 'IP Address', 'URI'];

/** Common names of the subject, then the DNS names, addresses and URIs that a certificate is for; each once, without mail addresses. */
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

/** Letter case makes no difference, as in host names. */
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
