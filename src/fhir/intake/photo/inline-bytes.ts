import type { Attachment } from '@medplum/fhirtypes';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { notUsable } from '../refusal.js';
import { sha1Of } from './photo-facts.js';

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** The bytes of an inline attachment. `fhir.image` for base64, size or hash that are not right, `request.too_large` over the limit. `place` is its FHIRPath. */
export function inlineBytes({ data = '', size, hash }: Pick<Attachment, 'data' | 'size' | 'hash'>, place: string, maxBytes: number): Buffer {
  // R4 lets whitespace stand in base64.
  const text = /\s/.test(data) ? data.replace(/\s+/g, '') : data;
  if (text.length > Math.ceil(maxBytes / 3) * 4) throw new SuturaError('request.too_large', { detail: `An attachment inside a resource has at most ${maxBytes} bytes. Post larger ones to Binary, or upload them.` });
  if (text.length === 0 || text.length % 4 !== 0 || !BASE64.test(text)) throw notUsable(`${place}.data`, 'The data are not base64.');
  const bytes = Buffer.from(text, 'base64');
  if (size !== undefined && size !== bytes.length) throw notUsable(`${place}.size`, 'The size is not that of the data.');
  if (hash !== undefined && hash !== sha1Of(bytes)) throw notUsable(`${place}.hash`, 'The hash is not the SHA-1 of the data in base64.');
  return bytes;
}
