import { SuturaError } from '../../../core/errors/sutura-error.js';
import { mediaTypeOf } from '../../../platform/http/unread-bodies.js';
import { PATCH_TYPES, TAKEN_PATCH_TYPES } from '../interactions/sent-patch.js';
import { NO_PREFERENCES, type Preferences } from '../call/preferences.js';

/** The forms of R4 that are served. */
export type FhirFormat = 'json' | 'xml';

/** The media types by which each is asked for, and sent; the first is its own. */
export const MEDIA_TYPES: Readonly<Record<FhirFormat, readonly string[]>> = {
  json: ['application/fhir+json', 'application/json', 'text/json'],
  xml: ['application/fhir+xml', 'application/xml', 'text/xml'],
};
const FORMATS = Object.keys(MEDIA_TYPES) as FhirFormat[];
const FORM = ['application/x-www-form-urlencoded'];
const FHIR_VERSION = /;\s*fhirVersion\s*=\s*"?([\d.]+)"?/i;

/** The media types that a body may have. */
type BodyKind = 'resource' | 'patch' | 'form';

const BODY_TYPES: Readonly<Record<BodyKind, readonly string[]>> = {
  resource: [...MEDIA_TYPES.json, ...MEDIA_TYPES.xml],
  patch: TAKEN_PATCH_TYPES,
  form: FORM,
};

/** `request.not_acceptable` for a caller that takes neither form. */
export function requireAcceptable(accept: string | undefined, format: string | null): FhirFormat {
  const found = acceptableFormat(accept, format);
  if (found === null)
    throw new SuturaError('request.not_acceptable', {
      detail:
        'FHIR is served as application/fhir+json or application/fhir+xml, version 4.0 (R4). Accept one of them, or leave out Accept and _format.',
    });
  return found;
}

/**
 * The form of an answer; null: neither is taken. `_format` takes precedence over Accept (R4 http.html 3.1.0.1.8). Of Accept the highest q
 * counts, then the first of those that are named; JSON for who takes anything.
 */
export function acceptableFormat(accept: string | undefined, format: string | null): FhirFormat | null {
  if (format !== null && format !== '') return formatNamed(format);
  if (accept === undefined || accept.trim() === '') return 'json';
  const ranges = accept.split(',').filter(isR4).map(parseRange);
  let best: { readonly format: FhirFormat; readonly quality: number; readonly place: number } | null = null;
  for (const each of FORMATS) {
    const { quality, place } = wishFor(each, ranges);
    if (quality > 0 && (best === null || quality > best.quality || (quality === best.quality && place < best.place)))
      best = { format: each, quality, place };
  }
  return best?.format ?? null;
}

/** The form that `_format` names; null: neither. A `+` of an address that was not encoded arrives as a space. */
export function formatNamed(format: string): FhirFormat | null {
  const type = mediaTypeOf(format).replace(' ', '+');
  if (!isR4(format)) return null;
  return FORMATS.find((each) => type === each || MEDIA_TYPES[each].includes(type)) ?? null;
}

interface Range {
  readonly type: string;
  readonly quality: number;
}

/** How much a form is wished for, and where that stands: the most specific ranges that fit it decide (RFC 9110 12.5.1). */
function wishFor(format: FhirFormat, ranges: readonly Range[]): { quality: number; place: number } {
  const types = MEDIA_TYPES[format];
  for (const fitting of [types, types.map((type) => type.replace(/\/.*/, '/*')), ['*/*']]) {
    const fits = ranges.flatMap(({ type, quality }, place) => (fitting.includes(type) ? [{ quality, place }] : []));
    if (fits.length > 0) return fits.reduce((best, one) => (one.quality > best.quality ? one : best));
  }
  return { quality: 0, place: ranges.length };
}

function parseRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  return { type, quality: quality === undefined ? 1 : Number(quality.slice(2)) };
}

function isR4(mediaType: string): boolean {
  const version = FHIR_VERSION.exec(mediaType)?.[1];
  return version === undefined || /^4\.0(\.[01])?$/.test(version);
}

/** The form of a body of this type, which was found to be one of a resource. */
export function formatOfBody(contentType: string | undefined): FhirFormat {
  return MEDIA_TYPES.xml.includes(mediaTypeOf(contentType)) ? 'xml' : 'json';
}

/** `request.content_type` for a body of another type, of another version of FHIR, or not in UTF-8. */
export function requireBodyType(contentType: string | undefined, kind: BodyKind): void {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType ?? '')?.[1];
  const fits =
    BODY_TYPES[kind].includes(mediaTypeOf(contentType)) &&
    isR4(contentType ?? '') &&
    (charset === undefined || /^(utf-?8|us-ascii)$/i.test(charset));
  if (!fits)
    throw new SuturaError('request.content_type', { detail: `Send the body as ${NAMED_TYPES[kind]} in UTF-8.` });
}

const NAMED_TYPES: Readonly<Record<BodyKind, string>> = {
  resource: FORMATS.map((format) => MEDIA_TYPES[format][0]!).join(' or '),
  patch: PATCH_TYPES.join(' or '),
  form: FORM.join(),
};

/** Reads `Prefer`: of a preference that is stated twice the first counts (RFC 7240 2). */
export function readPreferences(prefer: string | undefined): Preferences {
  const stated = new Map<string, string>();
  for (const part of (prefer ?? '').split(/[,;]/)) {
    const [name = '', value = ''] = part.split('=').map((text) => text.trim().replace(/^"(.*)"$/, '$1'));
    if (name !== '' && !stated.has(name.toLowerCase())) stated.set(name.toLowerCase(), value);
  }
  const answer = (['minimal', 'representation', 'OperationOutcome'] as const).find(
    (each) => each.toLowerCase() === stated.get('return')?.toLowerCase(),
  );
  return {
    ...NO_PREFERENCES,
    return: answer ?? null,
    strict: stated.get('handling')?.toLowerCase() === 'strict',
    lenient: stated.get('handling')?.toLowerCase() === 'lenient',
    respondAsync: stated.has('respond-async'),
  };
}
