/// <reference lib="dom" />
import { type Bytes, chunksOf, pieces, refuseEarly } from './byte-streams.js';
import { CallersFault } from './callers-fault.js';
import { ConfigurationError, MalformedResponseError } from './errors.js';
import type { PhotoFile } from './options.js';
import type { ClientSettings, FetchResponse } from './settings.js';
import type { OutgoingBody } from './upload-body.js';

// In a browser, in the place of platform.ts.

/** A browser says itself what it is. */
export const OWN_HEADERS: Readonly<Record<string, string>> = {};

/** Of every request but an upload: nothing of a patient stays in the browser, whatever a proxy answers, and cookies are none of the service's. */
export const FETCH_OPTIONS: Readonly<Record<string, string>> = { cache: 'no-store', credentials: 'omit' };

/** Whoever can open a page can read the key in it. */
export function requireMayHold(key: string, isToldTo: boolean | undefined): void {
  if (key.startsWith('sut_test_') || isToldTo === true) return;
  throw new ConfigurationError(
    'A live key must not be in a page: everybody who opens the page can read the key, and with it the results of every patient. Let your server ask for the upload address (getUploadUrl) and give the page that alone, for uploadFileToSignedUrl. If nobody but you can open this page, set dangerouslyAllowBrowser: true.',
  );
}

/** Refuses what needs a path. */
export function requireFiles(): void {
  throw new TypeError(
    'A page has no files to save to. Take the bytes: downloadReport, or client.request("GET", …, { headers: { accept: "image/*" } }) for a picture.',
  );
}

/** Digests by Web Crypto, which a page has over https and on localhost. */
export const loadTools = async () => ({ digest, isSigned, saveWhole: requireFiles as never, randomUUID });

function randomUUID(): string {
  return crypto.randomUUID();
}

async function digest(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const bytes = await new Blob(await collect(chunks)).arrayBuffer();
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function isSigned(
  scheme: 'v1' | 'v1a',
  key: BufferSource,
  content: BufferSource,
  signature: string,
): Promise<boolean> {
  const name = scheme === 'v1' ? { name: 'HMAC', hash: 'SHA-256' } : { name: 'Ed25519' };
  try {
    const given = Uint8Array.from(atob(signature), (character) => character.charCodeAt(0));
    const known = await crypto.subtle.importKey('raw', key, name, false, ['verify']);
    return await crypto.subtle.verify(name.name, known, given, content);
  } catch {
    // No Base64, or an algorithm that an older browser lacks: nothing is proven, and another signature of the header may hold.
    return false;
  }
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<BlobPart[]> {
  const all: BlobPart[] = [];
  for await (const chunk of chunks) all.push(chunk as Uint8Array<ArrayBuffer>);
  return all;
}

/** Whatever the caller calls a file: all become a Blob, which the browser may keep on disk. */
export async function openBytes(file: PhotoFile): Promise<Bytes> {
  const blob = await toBlob(file);
  return {
    sizeBytes: blob.size,
    blob,
    open: () => pieces(chunksOf(blob.stream())),
    release: async () => undefined,
  };
}

async function toBlob(file: PhotoFile): Promise<Blob> {
  if (file instanceof Blob) return file;
  if (file instanceof ArrayBuffer || ArrayBuffer.isView(file)) return new Blob([file as BlobPart]);
  if (typeof file === 'object' && file !== null && ('getReader' in file || Symbol.asyncIterator in file))
    return new Blob(await collect(refuseEarly(chunksOf(file))));
  throw new TypeError(
    'file must be a File or Blob, such as one of <input type="file">, bytes, or a stream of bytes: a page cannot open a path.',
  );
}

/** Sends a photo by XMLHttpRequest, which alone tells a page how much went out; by fetch where there is none (service workers) or the caller has another. */
export function sendUpload(
  settings: ClientSettings,
  url: string,
  init: { readonly method: string; readonly headers: Readonly<Record<string, string>>; readonly signal: AbortSignal },
  body: OutgoingBody,
): Promise<FetchResponse> {
  // The browser states the length of a Blob itself, and lets nobody else do so.
  const headers = Object.entries(init.headers).filter(([name]) => name !== 'content-length');
  const blob = body.blob as Blob;
  if (!settings.hasOwnFetch && typeof XMLHttpRequest === 'function') return put(url, { ...init, headers }, blob, body);
  return settings.fetch(url, {
    ...init,
    headers: Object.fromEntries(headers),
    body: blob,
    redirect: 'error',
    ...FETCH_OPTIONS,
  });
}

function put(
  url: string,
  { method, headers, signal }: { method: string; headers: [string, string][]; signal: AbortSignal },
  blob: Blob,
  body: OutgoingBody,
): Promise<FetchResponse> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const tell = (sentBytes: number): void => {
      if (!body.tell(sentBytes)) request.abort();
    };
    request.open(method, url);
    for (const [name, value] of headers) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => tell(loaded);
    request.upload.onload = () => {
      body.isSpent = true;
      tell(blob.size);
    };
    request.onload = () => {
      if (request.responseURL !== '' && request.responseURL !== new URL(url).href)
        return reject(
          new MalformedResponseError(
            'The upload was answered with a redirect. Set the base URL to where the service is.',
          ),
        );
      resolve(answerOf(request));
    };
    request.onerror = () => reject(new Error('network'));
    request.onabort = () => reject(body.fault ?? new CallersFault(signal.reason));
    if (signal.aborted) return reject(new CallersFault(signal.reason));
    signal.addEventListener('abort', () => request.abort());
    request.send(blob);
  });
}

function answerOf(request: XMLHttpRequest): FetchResponse {
  const lines = request.getAllResponseHeaders().trim().split(/\r?\n/);
  const headers = new Headers(
    lines.filter((line) => line !== '').map((line) => line.split(/:\s*(.*)/s, 2) as [string, string]),
  );
  const isBodiless = [204, 205, 304].includes(request.status);
  return new Response(isBodiless ? null : request.responseText, { status: request.status, headers });
}
