const MIB = 1024 * 1024;

/** Largest body below the base: a Bundle with its photos as base64 (standards 3.4). */
export const FHIR_BODY_LIMIT_BYTES = 64 * MIB;
/** Longest wait for a body to arrive completely; as an upload's, since it may carry as much. */
export const FHIR_BODY_TIMEOUT_MS = 900_000;
/** Longest body of a search by POST; as an address may be, with room for lists of ids. */
export const FORM_LIMIT_BYTES = 64 * 1024;
