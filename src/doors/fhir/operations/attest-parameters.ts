import type { Parameters, ParametersParameter, Reference } from '@medplum/fhirtypes';
import { z } from 'zod';
import type { PixelPolygon } from '../../../core/measurement/wound-result.js';
import type { Correction } from '../../../core/followup/correction.js';
import { REVIEW_DECISIONS, type ReviewDecision } from '../../../core/report/report-status.js';
import { perTissue, TISSUES } from '../../../core/tissue/tissues.js';
import { parseStrictJson } from '../../../platform/http/strict-json.js';
import { OutcomeError } from '../../../standards/fhir/outcome/outcome-error.js';

/** The input of `$attest`, its references not yet resolved. */
export interface AttestInput extends Correction {
  readonly decision: ReviewDecision;
  readonly reviewer: Reference;
  /** With `reassign`: the right Patient or BodyStructure. */
  readonly subject: Reference | null;
  readonly note?: string;
}

const NAMES = ['decision', 'reviewer', 'note', 'contour', 'outlines', 'tissue', 'calibration', 'subject'] as const;
type Name = (typeof NAMES)[number];

const NOTE_LIMIT = 2000;
const OUTLINES_LIMIT = 100;
/** More characters than 4,000 points need, however exact they are. */
const JSON_LIMIT = 400_000;

const ring = z.array(z.tuple([z.number(), z.number()])).min(4);
const CONTOUR = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('Polygon'), coordinates: z.array(ring).min(1) }),
  z.strictObject({ type: z.literal('MultiPolygon'), coordinates: z.array(z.array(ring).min(1)).min(1) }),
]);
const share = z.number().min(0).max(1);
const SHARES = z.strictObject(perTissue(() => share));

/** `request.invalid` naming each parameter that is missing, unknown, repeated or not of its type. */
export function readAttestInput({ parameter = [] }: Parameters): AttestInput {
  const unknown = parameter.findIndex(({ name }) => !(NAMES as readonly string[]).includes(name ?? ''));
  if (unknown >= 0) throw refused(`Parameters.parameter[${unknown}]`, 'There is no such parameter.');
  const decision = decisionOf(parameter);
  const [contour, outlines, tissue] = [contourOf(parameter), outlinesOf(parameter), tissueOf(parameter)];
  const calibration = calibrationOf(parameter);
  if (decision !== 'correct' && [contour, outlines, tissue, calibration].some((part) => part !== undefined))
    throw refusedPart('decision', 'Must be "correct" where a contour, outlines, tissue or a calibration are given.');
  const subject = single(parameter, 'subject')?.valueReference ?? null;
  if ((decision === 'reassign') !== (subject !== null))
    throw refusedPart('subject', 'Goes with the decision "reassign", and only with it.');
  const reviewer = single(parameter, 'reviewer')?.valueReference;
  if (reviewer === undefined) throw refusedPart('reviewer', 'Name the reviewer by a valueReference.', 'required');
  const note = noteOf(parameter);
  return {
    decision,
    reviewer,
    subject,
    ...(note === undefined ? {} : { note }),
    ...(contour === undefined ? {} : { contour }),
    ...(outlines === undefined ? {} : { outlines }),
    ...(tissue === undefined ? {} : { tissue }),
    ...(calibration === undefined ? {} : { calibration }),
  };
}

/** A refusal of one parameter, with a kind of its own: `value` where it is there and does not fit. */
export function refusedPart(name: Name, details: string, code: 'value' | 'required' = 'value'): OutcomeError {
  return refused(`Parameters.parameter.where(name = '${name}')`, details, code);
}

/** The name of a parameter that a field of the native review stands for. */
export function isPart(name: string): name is Name {
  return (NAMES as readonly string[]).includes(name);
}

function refused(expression: string, details: string, code: 'value' | 'required' = 'value'): OutcomeError {
  return new OutcomeError('request.invalid', [{ severity: 'error', code, expression, details }]);
}

function single(parameters: readonly ParametersParameter[], name: Name): ParametersParameter | undefined {
  const found = parameters.filter((one) => one.name === name);
  if (found.length > 1) throw refusedPart(name, 'Give it once.');
  return found[0];
}

function decisionOf(parameters: readonly ParametersParameter[]): ReviewDecision {
  const found = single(parameters, 'decision');
  const decision = found?.valueCode ?? found?.valueString;
  if (decision === undefined || !(REVIEW_DECISIONS as readonly string[]).includes(decision))
    throw refusedPart(
      'decision',
      `Must be one of ${REVIEW_DECISIONS.join(', ')}.`,
      found === undefined ? 'required' : 'value',
    );
  return decision as ReviewDecision;
}

function noteOf(parameters: readonly ParametersParameter[]): string | undefined {
  const note = single(parameters, 'note')?.valueString;
  if (note !== undefined && ([...note].length > NOTE_LIMIT || /\0|\p{Surrogate}/u.test(note)))
    throw refusedPart('note', `Must be text of at most ${NOTE_LIMIT} characters.`);
  return note;
}

function outlinesOf(parameters: readonly ParametersParameter[]): number[] | undefined {
  const found = parameters.filter(({ name }) => name === 'outlines');
  if (found.length === 0) return undefined;
  if (found.length > OUTLINES_LIMIT) throw refusedPart('outlines', `At most ${OUTLINES_LIMIT} outlines.`);
  return found.map(({ valueInteger }) => {
    if (valueInteger === undefined || valueInteger < 0)
      throw refusedPart('outlines', 'Each is the index of an outline, as valueInteger.');
    return valueInteger;
  });
}

function contourOf(parameters: readonly ParametersParameter[]): PixelPolygon[] | undefined {
  const contour = jsonOf(
    parameters,
    'contour',
    CONTOUR,
    'A GeoJSON Polygon or MultiPolygon in pixels of the oriented photo, as valueString.',
  );
  if (contour === undefined) return undefined;
  const polygons = contour.type === 'Polygon' ? [contour.coordinates] : contour.coordinates;
  return polygons.map((coordinates) => ({ type: 'Polygon', coordinates }));
}

/** Millimetres per pixel of the oriented photo. */
function calibrationOf(parameters: readonly ParametersParameter[]): Correction['calibration'] {
  const found = single(parameters, 'calibration');
  if (found === undefined) return undefined;
  const mmPerPixel = found.valueDecimal;
  if (mmPerPixel === undefined || !(mmPerPixel > 0))
    throw refusedPart('calibration', 'The millimetres per pixel of the photo, above 0, as valueDecimal.');
  return { mmPerPixel };
}

function tissueOf(parameters: readonly ParametersParameter[]): z.output<typeof SHARES> | undefined {
  return jsonOf(
    parameters,
    'tissue',
    SHARES,
    `JSON with the shares ${TISSUES.join(', ')}, each from 0 to 1, as valueString.`,
  );
}

function jsonOf<T>(
  parameters: readonly ParametersParameter[],
  name: Name,
  schema: z.ZodType<T>,
  form: string,
): T | undefined {
  const found = single(parameters, name);
  if (found === undefined) return undefined;
  const text = found.valueString;
  if (text === undefined || text.length > JSON_LIMIT) throw refusedPart(name, form);
  const parsed = schema.safeParse(parsedJson(text, name, form));
  if (!parsed.success) throw refusedPart(name, form);
  return parsed.data;
}

function parsedJson(text: string, name: Name, form: string): unknown {
  try {
    return parseStrictJson(Buffer.from(text, 'utf8'));
  } catch {
    throw refusedPart(name, form);
  }
}
