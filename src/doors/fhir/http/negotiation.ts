import { SuturaError } from '../../../core/errors/sutura-error.js';
import { accepts } from '../../../platform/http/accept.guard.js';
import { mediaTypeOf } from '../../../platform/http/unread-bodies.js';
import { PATCH_TYPES, TAKEN_PATCH_TYPES } from '../interactions/sent-patch.js';
import { NO_PREFERENCES, type Preferences } from '../call/preferences.js';

const FORMATS = ['json', 'application/json', 'application/fhir+json', 'text/json'];
const MEDIA_TYPES = ['application/fhir+json', 'application/json', 'text/json'];
const FHIR_JSON = ['application/fhir+json', 'application/json', 'text/json'];
const FORM = ['application/x-www-form-urlencoded'];
const FHIR_VERSION = /;\s*fhirVersion\s*=\s*"?([\d.]+)"?/i;

/** The media types that a body may have. */
type BodyKind = 'resource' | 'patch' | 'form';

const BODY_TYPES: Readonly<Record<BodyKind, readonly string[]>> = {
  resource: FHIR_JSON,
  patch: TAKEN_PATCH_TYPES,
  form: FORM,
};

/** `request.not_acceptable` for a caller that takes no FHIR JSON. `_format` takes precedence over Accept (R4 http.html 3.1.0.1.8). */
export function requireAcceptable(accept: string | undefined, format: string | null): void {
  const fits =
    format === null || format === '' ? (accept ?? '').trim() === '' || acceptsFhirJson(accept!) : isJsonFormat(format);
  if (!fits)
    throw new SuturaError('request.not_acceptable', {
      detail:
        'FHIR is served as application/fhir+json, version 4.0 (R4). Accept that, or leave out Accept and _format.',
    });
}

/** A `+` of an address that was not encoded arrives as a space. */
export function isJsonFormat(format: string): boolean {
  return FORMATS.includes(mediaTypeOf(format).replace(' ', '+')) && isR4(format);
}

function acceptsFhirJson(accept: string): boolean {
  const ranges = accept.split(',').filter(isR4).join(',');
  return MEDIA_TYPES.some((type) => accepts(ranges, type));
}

function isR4(mediaType: string): boolean {
  const version = FHIR_VERSION.exec(mediaType)?.[1];
  return version === undefined || /^4\.0(\.[01])?$/.test(version);
}

/** `request.content_type` for a body of another type, of another version of FHIR, or not in UTF-8. */
export function requireBodyType(contentType: string | undefined, kind: BodyKind): void {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType ?? '')?.[1];
  const fits =
    BODY_TYPES[kind].includes(mediaTypeOf(contentType)) &&
    isR4(contentType ?? '') &&
    (charset === undefined || /^(utf-?8|us-ascii)$/i.test(charset));
  if (!fits)
    throw new SuturaError('request.content_type', {
      detail: `Send the body as ${kind === 'patch' ? PATCH_TYPES.join(' or ') : BODY_TYPES[kind][0]!} in UTF-8.`,
    });
}

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
