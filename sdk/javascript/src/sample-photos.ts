import { type Connection, drain } from './connection.js';
import { toSegment } from './fields.js';
import type { DocumentBytes } from './follow-up-options.js';
import type { CallOptions } from './options.js';
import type { SampleList } from './samples.js';
import { readBody } from './saving.js';

const SAMPLES = '/api/v1/samples';

export function listSamples(connection: Connection, { signal }: CallOptions): Promise<SampleList> {
  return connection.send(
    { method: 'GET', path: SAMPLES, signal },
    connection.json<SampleList>(({ items }) => Array.isArray(items)),
  );
}

/** Takes nothing but a photo: a page of a proxy would be analysed as one. */
export function downloadSample(
  connection: Connection,
  { name, signal }: CallOptions & { name: string },
): Promise<DocumentBytes> {
  const request = { method: 'GET', path: `${SAMPLES}/${toSegment('name', name)}`, signal };
  return connection.send(request, async (response, watch) => {
    if (response.headers.get('content-type')?.startsWith('image/')) return readBody(response, watch);
    await drain(response);
    throw connection.malformed(response);
  });
}
