import { deflateSync, inflateSync } from 'node:zlib';
import type { Resource } from '@medplum/fhirtypes';
import { SuturaError } from '../../../core/errors/sutura-error.js';
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

/** A version that is packed. */
interface Packed {
  readonly bytes: Buffer;
  /** The one patient whom it names; null: nobody. */
  readonly patientId: string | null;
}

/** null: the content stays JSON, because of its type, because statements look into it, or because packing saves nothing. */
export function pack(resource: Resource, json: string | Buffer): Packed | null {
  const isLookedInto = Object.hasOwn(PACKED, resource.resourceType) ? PACKED[resource.resourceType]! : undefined;
  if (isLookedInto === undefined || isLookedInto(resource as never)) return null;
  const bytes = Buffer.from(json as string);
  if (bytes.length > MOST_BYTES) return null;
  const deflated = deflateSync(bytes, { dictionary: DICTIONARIES.get(DICTIONARY)! });
  if (HEAD_BYTES + deflated.length >= bytes.length) return null;
  const patientId = patientNamedIn(bytes.toString('utf8'));
  if (patientId === undefined) return null;
  return {
    bytes: Buffer.concat([Buffer.from([DICTIONARY, bytes.length >> 8, bytes.length & 0xff]), deflated]),
    patientId,
  };
}

/** Whatever ends as a reference to a Patient does, as an erasure looks for it. */
const NAMED = /Patient\/([^"]*)"/g;
const PATIENT_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** A reference by a number. */
const BY_NUMBER = '"identifier":{';

/** null: nobody. undefined: one id does not say it, so that an erasure has to look into the text. */
function patientNamedIn(json: string): string | null | undefined {
  if (json.includes(BY_NUMBER)) return undefined;
  const ids = new Set(Array.from(json.matchAll(NAMED), ([, id]) => id!));
  const [id = null, ...others] = ids;
  return others.length > 0 || (id !== null && !PATIENT_ID.test(id)) ? undefined : id;
}

/** The patients whom a packed version can name where a text has one of the words. */
export function patientsAmong(words: readonly string[]): string[] {
  return words.flatMap((word) => Array.from(word.matchAll(NAMED), ([, id]) => id!)).filter((id) => PATIENT_ID.test(id));
}

/** As a version's resource is written: in one of the two. */
export interface WrittenContent {
  /** In bytes where it is long. */
  readonly content: string | Buffer | null;
  /** In base64. */
  readonly packed: string | null;
  /** The one patient whom a packed one names; null: nobody, or it is not packed. */
  readonly patientId: string | null;
}

export async function writtenContentOf(resource: Resource): Promise<WrittenContent> {
  const json = await jsonOf(resource);
  const packed = pack(resource, json);
  if (packed === null) return { content: json, packed: null, patientId: null };
  return { content: null, packed: packed.bytes.toString('base64'), patientId: packed.patientId };
}

/** Of whom no address is at hand. */
const SOME = 'A FHIR resource';

/**
 * A packed version that cannot be read: `storage.altered`, or `service.internal` where another release packed it. Its detail says which and what is to
 * be done, and quotes nothing of it: faults of zlib and of JSON do. Never 410, by which a client would take the resource for deleted.
 */
export class UnreadableContent extends SuturaError {
  override readonly name = 'UnreadableContent';

  constructor(code: 'storage.altered' | 'service.internal', detail: string) {
    super(code, { detail, kind: 'internal' });
    // For the log, and for whoever runs a command.
    this.message = detail;
  }
}

/**
 * The JSON of a packed content. UnreadableContent.
 * @param address of the version, for whoever reads of the fault: `Type/id/_history/version`
 */
export function unpackedJson(packed: Buffer, address: string = SOME): string {
  const dictionary = DICTIONARIES.get(packed[0]!);
  if (dictionary === undefined)
    throw new UnreadableContent(
      'service.internal',
      `${address} was packed by dictionary ${packed[0]}, which this release does not have. Run the release that wrote it.`,
    );
  try {
    return inflateSync(packed.subarray(HEAD_BYTES), { dictionary, maxOutputLength: MOST_BYTES }).toString('utf8');
  } catch {
    throw damaged(address);
  }
}

function damaged(address: string = SOME): UnreadableContent {
  return new UnreadableContent(
    'storage.altered',
    `${address} is damaged in fhir_versions.packed. Restore it from a back-up.`,
  );
}

/** The resource of a version, however it is kept. UnreadableContent. */
export function contentOf({ content, packed }: KeptContent, address?: string): Resource {
  return packed === null || packed === undefined ? content : resourceIn(unpackedJson(packed, address), address);
}

/** The resource that unpacked JSON says. UnreadableContent. */
export function resourceIn(json: string, address?: string): Resource {
  try {
    return JSON.parse(json) as Resource;
  } catch {
    throw damaged(address);
  }
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
