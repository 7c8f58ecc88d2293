/** What an HL7 namespace is as a system of FHIR, where nothing else is known of it; its name follows, percent-encoded. */
export const NAMESPACE_SYSTEM = 'https://sutura.dev/fhir/sid/hl7v2-authority/';
/** The same of a sending facility (MSH-4) whose numbers are its own, though it names no authority. */
export const FACILITY_SYSTEM = 'https://sutura.dev/fhir/sid/hl7v2-facility/';

const OID = /^[0-2](?:\.(?:0|[1-9]\d*))+$/;
/** Of a shorter one nobody can tell whether it is a name: `1.2`. */
const LEAST_ARCS = 3;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const URN = /^urn:(?:oid|uuid):/i;
const WEB = /^(https?:\/\/[^/?#]*)(.*)$/is;

/** An OID as R4 has it: no leading zeros, the first arc 0 to 2. */
export function isOid(text: string): boolean {
  return OID.test(text);
}

/** A text that is an OID without saying so, and hardly a name. */
export function looksLikeOid(text: string): boolean {
  return OID.test(text) && text.split('.').length >= LEAST_ARCS;
}

export function namespaceSystem(namespace: string): string {
  return NAMESPACE_SYSTEM + encodeURIComponent(namespace);
}

export function facilitySystem(facility: string): string {
  return FACILITY_SYSTEM + encodeURIComponent(facility);
}

/**
 * One spelling of a system for all that mean it beyond doubt: an OID with and without `urn:oid:`, also where it stands in the place of a namespace; a
 * UUID in any case; scheme and host of an address in any case, with and without a last slash. The rest of an address, and any other URI, counts
 * character by character (R4: a uri is case sensitive). What is no OID (`1.02.3`) is not made one. sutura_spelled_system says the same in SQL.
 */
export function spelledSystem(system: string): string {
  if (URN.test(system)) return isRegularUrn(system) ? system.toLowerCase() : system;
  if (looksLikeOid(system)) return `urn:oid:${system}`;
  if (system.startsWith(NAMESPACE_SYSTEM)) {
    const name = system.slice(NAMESPACE_SYSTEM.length);
    if (looksLikeOid(name)) return `urn:oid:${name}`;
    return UUID.test(name) ? `urn:uuid:${name.toLowerCase()}` : system;
  }
  const [, origin, path] = WEB.exec(system) ?? [];
  if (origin === undefined || path === undefined) return system;
  return origin.toLowerCase() + (path.endsWith('/') ? path.slice(0, -1) : path);
}

/** By what a form is found in the table of authorities: names of namespaces in any case, everything else as it is spelled. */
export function formKey(system: string): string {
  const spelled = spelledSystem(system);
  return spelled.startsWith(NAMESPACE_SYSTEM) ? spelled.toLowerCase() : spelled;
}

function isRegularUrn(system: string): boolean {
  const [, kind = '', rest = ''] = /^urn:(oid|uuid):(.*)$/i.exec(system) ?? [];
  return kind.toLowerCase() === 'oid' ? OID.test(rest) : UUID.test(rest);
}
