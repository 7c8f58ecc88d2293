import { Connection } from './connection.js';
import type { ClientOptions, UploadOptions } from './options.js';
import { openPhoto } from './photo.js';
import type { UploadReceipt } from './resources.js';
import { toSettings } from './settings.js';
import { putPhoto } from './uploads.js';

/**
 * As `client.uploadFileToSignedUrl`, without a client: what a page does with a ticket that its server got by `getUploadUrl`. No key is needed.
 *
 * @example
 * import { uploadFileToSignedUrl } from '@sutura/sdk';
 *
 * const ticket = await client.getUploadUrl();
 * const { sizeBytes } = await uploadFileToSignedUrl({ ...ticket, file: 'photo.jpg' });
 * console.log(sizeBytes);
 */
export async function uploadFileToSignedUrl(
  { file, signal, onProgress, ...target }: UploadOptions,
  options: Omit<ClientOptions, 'apiKey' | 'baseUrl'> = {},
): Promise<UploadReceipt> {
  const photo = await openPhoto(file);
  try {
    return await putPhoto(new Connection(toSettings(options), ''), target, photo, { signal, onProgress });
  } finally {
    await photo.release();
  }
}
