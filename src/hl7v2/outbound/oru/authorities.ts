import type { MessageWriter } from '../../er7/index.js';

/** Raw HD by the URI of an identifier's system, as the destination's settings have them. */
export type Authorities = Readonly<Record<string, string>>;

const OID = /^urn:oid:([0-2](?:\.\d+)+)$/;

/** An identifier system as HD inside a field, raw: as the settings have it, else its OID as ISO, else as a URI; "" where there is none. */
export function authorityOf(writer: MessageWriter, system: string | undefined, authorities: Authorities): string {
  const named = authorities[system ?? ''];
  if (named !== undefined) return named;
  if (system === undefined || system === '') return '';
  const oid = OID.exec(system)?.[1];
  return oid === undefined ? writer.subcomponents('', writer.text(system), 'URI') : writer.subcomponents('', oid, 'ISO');
}
