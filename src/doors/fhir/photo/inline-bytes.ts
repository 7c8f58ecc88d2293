import type { Attachment } from '@medplum/fhirtypes';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { decodingBase64, shortestBase64Bytes } from '../../../platform/turns/base64.js';
import { inTurns } from '../../../platform/turns/turns.js';
import { notUsable } from '../../../standards/fhir/outcome/outcome-error.js';
import { sha1Of } from './photo-facts.js';

/** The bytes of an inline attachment. `fhir.image` for base64, size or hash that are not right, `request.too_large` over the limit. `place` is its FHIRPath. */
export async function inlineBytes(
  { data = '', size, hash }: Pick<Attachment, 'data' | 'size' | 'hash'>,
  place: string,
  maxBytes: number,
): Promise<Buffer> {
  if (shortestBase64Bytes(data.length) > maxBytes) throw tooLarge(maxBytes);
  const bytes = await inTurns(decodingBase64(data));
  if (bytes === null || bytes.length === 0) throw notUsable(`${place}.data`, 'The data are not base64.');
  if (bytes.length > maxBytes) throw tooLarge(maxBytes);
  if (size !== undefined && size !== bytes.length)
    throw notUsable(`${place}.size`, 'The size is not that of the data.');
  if (hash !== undefined && hash !== (await sha1Of(bytes)))
    throw notUsable(`${place}.hash`, 'The hash is not the SHA-1 of the data in base64.');
  return bytes;
}

function tooLarge(maxBytes: number): SuturaError {
  return new SuturaError('request.too_large', {
    detail: `An attachment inside a resource has at most ${maxBytes} bytes. Post larger ones to Binary, or upload them.`,
  });
}
