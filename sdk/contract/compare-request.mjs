import { isDeepStrictEqual } from 'node:util';
import { createHash } from 'node:crypto';
import { sampleOf } from './samples.mjs';

const shown = (value) => JSON.stringify(value);

function compareHeader(name, wanted, seen, earlier) {
  const value = seen.headers[name.toLowerCase()];
  if (wanted === null) return value === undefined ? [] : [`header ${name} must not be sent`];
  if (value === undefined) return [`header ${name} is missing`];
  if (typeof wanted === 'string') return value === wanted ? [] : [`header ${name} is ${shown(value)}, not ${shown(wanted)}`];
  const faults = [];
  if (wanted.pattern !== undefined && !new RegExp(wanted.pattern).test(value)) faults.push(`header ${name} ${shown(value)} does not match ${wanted.pattern}`);
  if (wanted.sameAs !== undefined) {
    const other = earlier[Number(wanted.sameAs.replace(/\D+/g, ''))]?.headers[name.toLowerCase()];
    if (other !== value) faults.push(`header ${name} is not the same as in ${wanted.sameAs}`);
  }
  return faults;
}

function compareBody(expect, seen) {
  if (seen.bodyCut) return [];
  const faults = [];
  if (expect.json !== undefined) {
    let json;
    try {
      json = JSON.parse(seen.bodyText);
    } catch {
      return ['the body is no JSON'];
    }
    if (!isDeepStrictEqual(json, expect.json)) faults.push(`the body is ${shown(json)}, not ${shown(expect.json)}`);
    if (!/^application\/json/.test(seen.headers['content-type'] ?? '')) faults.push('the body is not sent as application/json');
  }
  if (expect.bodySha256OfSample !== undefined) {
    const wanted = sampleOf(expect.bodySha256OfSample);
    if (createHash('sha256').update(wanted).digest('hex') !== seen.bodySha256) faults.push(`the body is not the sample ${expect.bodySha256OfSample} (${seen.bodyBytes} bytes came)`);
  }
  if (seen.method === 'GET' && seen.bodyBytes > 0) faults.push('a GET has no body');
  return faults;
}

/** What does not fit between one expected request and the one that came: sentences, none where all is well. */
export function compareRequest(expect, seen, requests) {
  const faults = [];
  if (seen.method !== expect.method) faults.push(`method ${seen.method}, not ${expect.method}`);
  if (seen.path !== expect.path) faults.push(`path ${seen.path}, not ${expect.path}`);
  if (seen.origin !== (expect.origin ?? 'main')) faults.push(`it went to the ${seen.origin} origin`);
  if (!isDeepStrictEqual({ ...seen.query }, expect.query ?? {})) faults.push(`query ${shown(seen.query)}, not ${shown(expect.query ?? {})}`);
  for (const [name, wanted] of Object.entries(expect.headers ?? {})) faults.push(...compareHeader(name, wanted, seen, requests));
  return [...faults, ...compareBody(expect, seen)];
}
