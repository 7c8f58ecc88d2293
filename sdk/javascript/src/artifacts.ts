import { CallersFault } from './callers-fault.js';
import { type Connection, drain } from './connection.js';
import { MalformedResponseError } from './errors.js';
import { toSegment, webAddress } from './fields.js';
import { jobPath } from './jobs.js';
import type { DownloadOptions } from './options.js';
import { chunksOf, loadNodeTools } from './photo.js';
import type { SavedArtifact } from './resources.js';
import type { FetchResponse } from './settings.js';
import type { Watch } from './watch.js';

const REDIRECTS = [301, 302, 303, 307, 308];
const MOST_REDIRECTS = 5;

/** A step of the way to an artifact: the picture is saved, or it is elsewhere. */
type Step = SavedArtifact | { readonly elsewhere: string };

/** Follows to the store without the key. */
export async function downloadArtifact(connection: Connection, { jobId, artifact, path, signal }: DownloadOptions): Promise<SavedArtifact> {
  const { baseUrl } = connection.settings;
  let url = `${baseUrl}${jobPath(jobId)}/artifacts/${toSegment('artifact', artifact)}`;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    const from = url;
    const request = { method: 'GET', url, withKey: new URL(url).origin === new URL(baseUrl).origin, accept: REDIRECTS, signal };
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
    if (elsewhere === undefined) throw new MalformedResponseError(`The service answered ${status} without an address to go to.`, { status });
    return { elsewhere };
  }
  const sizeBytes = await save(path, response, watch);
  return { path, contentType: headers.get('content-type') ?? 'application/octet-stream', sizeBytes };
}

async function save(path: string, response: FetchResponse, watch: Watch): Promise<number> {
  const { saveWhole } = await loadNodeTools();
  let isBroken = false;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of chunksOf(response.body)) {
        watch.refresh();
        yield chunk;
      }
    } catch (fault) {
      isBroken = true;
      throw fault;
    }
  }
  return saveWhole(path, chunks()).catch((fault: unknown) => {
    throw isBroken ? fault : new CallersFault(fault);
  });
}
