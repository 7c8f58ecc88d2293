import type { MessageWriter } from '../../../standards/hl7v2/er7/message-writer.js';
import { SUTURA } from '../../../reports/index.js';

/**
 * Raw HD by the URI of an identifier's system: from the destination's settings first, then from the tenant's listeners.
 */
export type Authorities = Readonly<Record<string, string>>;

const OID = /^urn:oid:([0-2](?:\.\d+)+)$/;
const UUID = /^urn:uuid:([0-9a-f-]{36})$/;
/** The URI that a DNS name becomes when it is received. */
const DNS = /^https:\/\/([A-Za-z0-9.-]+)$/;

/**
 * The raw HD of an identifier system inside a field: from settings or listeners, else the namespace that a sender used,
 * else its OID (ISO), UUID or DNS name, else a URI; "" where there is none.
 */
export function authorityOf(writer: MessageWriter, system: string | undefined, authorities: Authorities): string {
  const named = authorities[system ?? ''];
  if (named !== undefined) return named;
  if (system === undefined || system === '') return '';
  const namespace = namedBySender(system, AUTHORITIES);
  if (namespace !== null) return writer.text(namespace);
  const [type, id] = universalIdOf(system);
  return writer.subcomponents('', writer.text(id), type);
}

function universalIdOf(system: string): readonly ['ISO' | 'UUID' | 'DNS' | 'URI', string] {
  const oid = OID.exec(system)?.[1];
  if (oid !== undefined) return ['ISO', oid];
  const uuid = UUID.exec(system)?.[1];
  if (uuid !== undefined) return ['UUID', uuid];
  const name = DNS.exec(system)?.[1];
  return name === undefined ? ['URI', system] : ['DNS', name];
}

/** URI prefixes under which senders' names are kept that are not unique by themselves. */
export const AUTHORITIES = `${SUTURA}/sid/hl7v2-authority/`;
export const CODING_SYSTEMS = `${SUTURA}/sid/hl7v2-codes/`;

/** The sender's name in the URI; null: the URI has none. */
export function namedBySender(uri: string, prefix: typeof AUTHORITIES | typeof CODING_SYSTEMS): string | null {
  if (!uri.startsWith(prefix)) return null;
  try {
    return decodeURIComponent(uri.slice(prefix.length));
  } catch {
    return null;
  }
}
