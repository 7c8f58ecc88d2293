import type { MessageWriter } from '../../er7/message-writer.js';
import { SUTURA } from '../../../reports/index.js';

/** Raw HD by the URI of an identifier's system: as the listeners of the tenant read it, and before all as the destination's settings have it. */
export type Authorities = Readonly<Record<string, string>>;

const OID = /^urn:oid:([0-2](?:\.\d+)+)$/;
const UUID = /^urn:uuid:([0-9a-f-]{36})$/;
/** What a DNS name becomes on its way in. */
const DNS = /^https:\/\/([A-Za-z0-9.-]+)$/;

/**
 * An identifier system as HD inside a field, raw, as it came in: as the settings or the listeners have it, else the namespace that a sender named
 * it by, else its OID (ISO), UUID or DNS name, else as a URI; "" where there is none.
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

/** Under which names of senders, that say nothing of where they are unique, are kept as URIs. */
export const AUTHORITIES = `${SUTURA}/sid/hl7v2-authority/`;
export const CODING_SYSTEMS = `${SUTURA}/sid/hl7v2-codes/`;

/** The name as the sender wrote it; null: the URI is no such name. */
export function namedBySender(uri: string, prefix: typeof AUTHORITIES | typeof CODING_SYSTEMS): string | null {
  if (!uri.startsWith(prefix)) return null;
  try {
    return decodeURIComponent(uri.slice(prefix.length));
  } catch {
    return null;
  }
}
