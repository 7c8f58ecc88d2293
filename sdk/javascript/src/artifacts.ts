import { type Connection, drain } from './connection.js';
import { MalformedResponseError } from './errors.js';
import { toSegment, webAddress } from './fields.js';
import { jobPath } from './jobs.js';
import type { DownloadOptions } from './options.js';
import type { SavedArtifact } from './resources.js';
import { requireFiles } from './platform.js';
import { saveBody } from './saving.js';
import type { FetchResponse } from './settings.js';
import type { Watch } from './watch.js';

const REDIRECTS = [301, 302, 303, 307, 308];
const MOST_REDIRECTS = 5;

/** A step of the way to an artifact: the picture is saved, or it is elsewhere. */
type Step = SavedArtifact | { readonly elsewhere: string };

/** Follows to the store without the key. */
export async function downloadArtifact(
  connection: Connection,
  { jobId, artifact, path, signal }: DownloadOptions,
): Promise<SavedArtifact> {
  requireFiles();
  const { baseUrl } = connection.settings;
  let url = `${baseUrl}${jobPath(jobId)}/artifacts/${toSegment('artifact', artifact)}`;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    const from = url;
    const request = {
      method: 'GET',
      url,
      withKey: new URL(url).origin === new URL(baseUrl).origin,
      accept: REDIRECTS,
      signal,
    };
    const step: Step = await connection.send(request, (response, watch) => take(response, watch, from, path));
    if (!('elsewhere' in step)) return step;
    url = step.elsewhere;
  }
  throw new MalformedResponseError(`The artifact was not found behind ${MOST_REDIRECTS} redirects.`);
}

async function take(response: FetchResponse, watch: Watch, url: string, path: string): Promise<Step> {
  const { status, headers } = response;
  if (REDIRECTS.includes(status)) {
    await drain(response);
    const location = headers.get('location');
    const elsewhere = location === null ? undefined : webAddress(location, url)?.href;
    // The location is not shown: it may be signed.
    if (elsewhere === undefined)
      throw new MalformedResponseError(`The service answered ${status} without an address to go to.`, { status });
    return { elsewhere };
  }
  const sizeBytes = await saveBody(path, response, watch);
  return { path, contentType: headers.get('content-type') ?? 'application/octet-stream', sizeBytes };
}
