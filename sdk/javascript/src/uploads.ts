import { type Connection, drain } from './connection.js';
import { PayloadTooLargeError, SuturaError } from './errors.js';
import { webAddress, withoutEmpty } from './fields.js';
import type { AbortSignalLike, ProgressOptions, UploadUrlOptions } from './options.js';
import type { Photo } from './photo.js';
import type { UploadReceipt, UploadTicket } from './resources.js';
import { OutgoingBody } from './upload-body.js';

const ALREADY_THERE = 412;

/** Where a photo goes. */
export type UploadTarget = Pick<UploadTicket, 'uploadUrl'> & Partial<UploadTicket>;

interface SendOptions extends ProgressOptions {
  readonly signal?: AbortSignalLike | undefined;
}

export async function requestTicket(
  connection: Connection,
  { signal, ...announced }: UploadUrlOptions,
): Promise<UploadTicket> {
  const request = { method: 'POST', path: '/api/v1/images/upload-url', json: withoutEmpty(announced), signal };
  const ticket = await connection.send(request, connection.json<UploadTicket>(isTicket));
  return concealed({ ...ticket, headers: ticket.headers ?? {} });
}

/** Sends a photo, again where it was interrupted. The key stays here: the address is the permission. */
export async function putPhoto(
  connection: Connection,
  target: UploadTarget,
  photo: Photo,
  { signal, onProgress }: SendOptions,
): Promise<UploadReceipt> {
  const { uploadUrl, headers = {}, maxBytes = Number.POSITIVE_INFINITY } = target;
  const { sizeBytes } = photo;
  if (webAddress(uploadUrl) === undefined) throw new TypeError('uploadUrl must be an address as the service gave it.');
  if (sizeBytes > maxBytes) {
    throw new PayloadTooLargeError(
      `The photo has ${sizeBytes} bytes, and the service takes ${maxBytes} at most. It was not sent.`,
      { code: 'image.too_large' },
    );
  }
  const body = (): OutgoingBody => {
    const outgoing = new OutgoingBody(photo.open(), photo.blob);
    if (onProgress !== undefined)
      outgoing.onChunk((sentBytes) => onProgress({ phase: 'upload', sentBytes, totalBytes: sizeBytes }));
    return outgoing;
  };
  // Lower case, so that a length is not there twice.
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const request = {
    method: 'PUT',
    url: uploadUrl,
    headers: { 'content-length': String(sizeBytes), ...given },
    body,
    accept: [ALREADY_THERE],
    signal,
  };
  const { headers: answered } = await connection.send(request, drain);
  return { etag: answered.get('etag'), sizeBytes };
}

/** Asks for an address and sends the photo there; once more where the address expired on the way. Answers the image id. */
export async function uploadPhoto(connection: Connection, photo: Photo, options: SendOptions): Promise<string> {
  const { contentType, sizeBytes: contentLength, sha256 } = photo;
  const ask = (): Promise<UploadTicket> =>
    requestTicket(connection, { contentType, contentLength, sha256, signal: options.signal });
  let ticket = await ask();
  try {
    await putPhoto(connection, ticket, photo, options);
  } catch (fault) {
    if (!isExpiry(fault, ticket, connection.settings.time.now())) throw fault;
    ticket = await ask();
    await putPhoto(connection, ticket, photo, options);
  }
  return ticket.imageId;
}

/** The gateway says 410; an S3 store says 403 to an address past its time as to any other that it refuses. */
function isExpiry(fault: unknown, { expiresAt }: UploadTicket, nowMs: number): boolean {
  if (!(fault instanceof SuturaError)) return false;
  return fault.status === 410 || (fault.status === 403 && nowMs >= Date.parse(expiresAt));
}

function isTicket({ imageId, uploadUrl }: Record<string, unknown>): boolean {
  return typeof imageId === 'string' && webAddress(uploadUrl) !== undefined;
}

/** Printed, a ticket does not show its signature; its fields and its JSON are whole. */
function concealed(ticket: UploadTicket): UploadTicket {
  const { origin, pathname } = new URL(ticket.uploadUrl);
  const shown = { ...ticket, uploadUrl: `${origin}${pathname}?…` };
  return Object.defineProperty(ticket, Symbol.for('nodejs.util.inspect.custom'), { value: () => shown });
}
