import { deflateSync, inflateSync } from 'node:zlib';
import type { Resource } from '@medplum/fhirtypes';
import { jsonOf } from '../../../platform/turns/json-bytes.js';
import { DICTIONARIES } from './packing-dictionaries.js';

/** A version's content as it is kept: as JSON that PostgreSQL can look into, or packed (docs/decisions/0126). */
export interface KeptContent {
  readonly content: Resource;
  /** null: it is not packed. Only where a statement reads what may be packed. */
  readonly packed?: Buffer | null;
}

const DICTIONARY = 1;
/** The dictionary's number, and the length of the JSON in two bytes, which statements read. */
const HEAD_BYTES = 3;
const MOST_BYTES = 0xffff;
/** Marks a photo that is a copy of another (unmatched-records.ts). */
export const COPY_OF = 'https://sutura.dev/fhir/StructureDefinition/copy-of';

/**
 * Types that come with every photo, each with what a statement looks for inside: a resource that has it stays JSON. `basedOn` and `encounter` lead to the
 * heading of a report (heading-resources.ts), a copy to what it is a copy of.
 */
const PACKED: Readonly<Record<string, (resource: Resource & Readonly<Record<string, unknown>>) => boolean>> = {
  Observation: () => false,
  DiagnosticReport: () => false,
  Provenance: () => false,
  Task: ({ basedOn }) => basedOn !== undefined,
  Media: ({ encounter, extension }) =>
    encounter !== undefined ||
    (Array.isArray(extension) && extension.some((each: { url?: unknown }) => each.url === COPY_OF)),
};

/** null: the content stays JSON, because of its type, because statements look into it, or because packing saves nothing. */
export function pack(resource: Resource, json: string | Buffer): Buffer | null {
  const isLookedInto = Object.hasOwn(PACKED, resource.resourceType) ? PACKED[resource.resourceType]! : undefined;
  if (isLookedInto === undefined || isLookedInto(resource as never)) return null;
  const bytes = Buffer.from(json as string);
  if (bytes.length > MOST_BYTES) return null;
  const deflated = deflateSync(bytes, { dictionary: DICTIONARIES.get(DICTIONARY)! });
  if (HEAD_BYTES + deflated.length >= bytes.length) return null;
  return Buffer.concat([Buffer.from([DICTIONARY, bytes.length >> 8, bytes.length & 0xff]), deflated]);
}

/** As a version's resource is written: in one of the two. */
export interface WrittenContent {
  /** In bytes where it is long. */
  readonly content: string | Buffer | null;
  /** In base64. */
  readonly packed: string | null;
}

export async function writtenContentOf(resource: Resource): Promise<WrittenContent> {
  const json = await jsonOf(resource);
  const packed = pack(resource, json);
  return packed === null ? { content: json, packed: null } : { content: null, packed: packed.toString('base64') };
}

/** The JSON of a packed content. */
export function unpackedJson(packed: Buffer): string {
  const dictionary = DICTIONARIES.get(packed[0]!);
  if (dictionary === undefined)
    throw new Error(`A FHIR resource was packed by dictionary ${packed[0]}, which this release does not have.`);
  return inflateSync(packed.subarray(HEAD_BYTES), { dictionary, maxOutputLength: MOST_BYTES }).toString('utf8');
}

/** The resource of a version, however it is kept. */
export function contentOf({ content, packed }: KeptContent): Resource {
  return packed === null || packed === undefined ? content : (JSON.parse(unpackedJson(packed)) as Resource);
}

/** What an order by status reads of a packed version, where no statement sees into it. */
export function statusOf(resource: Resource): string | null {
  return (resource as { readonly status?: string }).status ?? null;
}

/** Columns of a version that its content is made of. */
export function contentColumns(alias: string): string {
  return `${alias}.content, ${alias}.packed`;
}

/** SQL of the length of a version's JSON, packed or not. */
export function jsonBytes(alias: string): string {
  return `coalesce(octet_length(${alias}.content::text), get_byte(${alias}.packed, 1) * 256 + get_byte(${alias}.packed, 2))`;
}
