import { CallersFault } from './callers-fault.js';
import type { DocumentBytes } from './follow-up-options.js';
import { chunksOf } from './byte-streams.js';
import { loadTools } from './platform.js';
import type { FetchResponse } from './settings.js';
import type { Watch } from './watch.js';

/** The body of an answer piece by piece; each one shows that the line still moves. */
export async function* bodyOf(response: FetchResponse, watch: Watch): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunksOf(response.body)) {
    watch.refresh();
    yield chunk;
  }
}

/** Writes the body of an answer to a file, whole or not at all. Faults of the file are the caller's own and pass as they are. */
export async function saveBody(path: string, response: FetchResponse, watch: Watch): Promise<number> {
  const { saveWhole } = await loadTools();
  let isBroken = false;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      yield* bodyOf(response, watch);
    } catch (fault) {
      isBroken = true;
      throw fault;
    }
  }
  return saveWhole(path, chunks()).catch((fault: unknown) => {
    throw isBroken ? fault : new CallersFault(fault);
  });
}

/** The body of an answer in memory. */
export async function readBody(response: FetchResponse, watch: Watch): Promise<DocumentBytes> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of bodyOf(response, watch)) {
    chunks.push(chunk);
    sizeBytes += chunk.byteLength;
  }
  const whole = new Uint8Array(sizeBytes);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}
