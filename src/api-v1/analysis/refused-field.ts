import type { ErrorCode } from '../../core/errors/catalogue.js';
import { SuturaError } from '../../core/errors/sutura-error.js';

/** The field that core's refusal of a job is about. */
const FIELDS: Partial<Readonly<Record<ErrorCode, string>>> = {
  'calibration.implausible': '/calibration/mmPerPixel',
  'capture.future': '/capturedAt',
  'subject.mismatch': '/subject/patientId',
};

/** The refusal with the pointer to its field, where it is about one. */
export function atField(fault: unknown): unknown {
  const pointer = fault instanceof SuturaError ? FIELDS[fault.code] : undefined;
  if (pointer === undefined) return fault;
  const { code, detail, facts } = fault as SuturaError;
  return new SuturaError(code, { ...facts, detail, errors: [{ pointer, detail }] });
}
