import type { AccessGrant } from './access-tokens.js';
import type { EhrState } from './ehr-state.js';
import { isFields, isResource, listAt, textAt, type Fields, type Resource } from './json.js';
import { Refusal } from './outcome.js';
import type { Writing, Written } from './writing.js';

interface Entry {
  readonly method: 'POST' | 'PUT';
  readonly url: string;
  readonly fullUrl: string;
  readonly resource: Resource;
  readonly request: Fields;
}

/** Carries a transaction out wholly or not at all; creates come before updates, as R4 has it. @throws Refusal of its first entry that is refused. */
export function performTransaction(
  bundle: Resource,
  state: EhrState,
  writing: Writing,
  grant: AccessGrant | null,
): Resource {
  if (bundle.resourceType !== 'Bundle' || bundle['type'] !== 'transaction')
    throw new Refusal(400, { code: 'invalid', text: 'Only a Bundle of type transaction is taken here.' });
  const entries = listAt(bundle, 'entry').map(readEntry);
  requireDistinct(entries);
  return state.chart.atomically(() => {
    const ids = new Map(
      entries.flatMap((entry) => {
        const { method, fullUrl, resource } = entry;
        if (method !== 'POST') return [];
        return [[fullUrl, { entry, id: state.chart.nextId(resource.resourceType) }] as const];
      }),
    );
    const written = new Map<Entry, Written>();
    const links = new Map(
      [...ids].map(([fullUrl, { entry, id }]) => [fullUrl, `${entry.resource.resourceType}/${id}`]),
    );
    for (const entry of [...ordered(entries, 'POST'), ...ordered(entries, 'PUT')]) {
      const resource = linked(entry.resource, links);
      const id = ids.get(entry.fullUrl)?.id;
      const done = perform(entry, resource, writing, grant, id);
      // A conditional create that found something is what others then point to.
      if (entry.method === 'POST') links.set(entry.fullUrl, `${resource.resourceType}/${textAt(done.resource, 'id')!}`);
      written.set(entry, done);
    }
    return {
      resourceType: 'Bundle',
      type: 'transaction-response',
      entry: entries.map((entry) => responseOf(written.get(entry)!, state.namesNoVersions)),
    };
  });
}

function readEntry(entry: unknown, place: number): Entry {
  const request = isFields(entry) ? entry['request'] : undefined;
  const resource = isFields(entry) ? entry['resource'] : undefined;
  const [method, url] = [textAt(request, 'method'), textAt(request, 'url')];
  if (!isFields(request) || url === undefined || !isResource(resource) || (method !== 'POST' && method !== 'PUT'))
    throw new Refusal(400, { code: 'invalid', text: `entry[${place}] is no POST or PUT of a resource.` });
  const fullUrl = textAt(entry, 'fullUrl');
  // R4 lets a POST go without one; HAPI's validator, which a server may ask of every request, does not.
  if (fullUrl === undefined) throw new Refusal(422, { code: 'required', text: `entry[${place}] has no fullUrl.` });
  if (method === 'POST' && (url !== resource.resourceType || !isUuid(fullUrl)))
    throw new Refusal(400, { code: 'invalid', text: `entry[${place}] has another url than its type, or no urn:uuid.` });
  return { method, url, fullUrl, resource, request };
}

function isUuid(fullUrl: string): boolean {
  return /^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(fullUrl);
}

function requireDistinct(entries: readonly Entry[]): void {
  if (entries.length === 0) throw new Refusal(400, { code: 'required', text: 'The Bundle has no entry.' });
  const names = entries.flatMap(({ method, url, fullUrl }) => (method === 'PUT' ? url : fullUrl));
  if (new Set(names).size !== names.length)
    throw new Refusal(400, { code: 'invalid', text: 'Two entries are one resource.' });
}

/** Entries with what others point to first; a circle stays in the order sent, and its references are refused. */
function ordered(entries: readonly Entry[], method: Entry['method']): readonly Entry[] {
  const left = entries.filter((entry) => entry.method === method);
  const sorted: Entry[] = [];
  while (left.length > 0) {
    const names = left.map(({ fullUrl }) => fullUrl);
    const free = left.findIndex(({ resource, fullUrl }) => {
      const text = JSON.stringify(resource);
      return names.every((name) => name === fullUrl || !text.includes(`"${name}"`));
    });
    sorted.push(...left.splice(Math.max(free, 0), 1));
  }
  return sorted;
}

function linked(resource: Resource, links: ReadonlyMap<string, string>): Resource {
  let text = JSON.stringify(resource);
  for (const [fullUrl, reference] of links)
    text = text.replaceAll(`"reference":"${fullUrl}"`, `"reference":"${reference}"`);
  return JSON.parse(text) as Resource;
}

function perform(
  { method, url, request }: Entry,
  resource: Resource,
  writing: Writing,
  grant: AccessGrant | null,
  id: string | undefined,
): Written {
  if (method === 'POST') return writing.create(resource, grant, textAt(request, 'ifNoneExist'), id);
  const [type, named, ...rest] = url.split('/');
  if (type !== resource.resourceType || named === undefined || rest.length > 0)
    throw new Refusal(400, { code: 'invalid', text: `${url} is no address of a ${resource.resourceType}.` });
  return writing.update(resource, named, grant, textAt(request, 'ifMatch'));
}

function responseOf({ status, resource }: Written, namesNoVersions: boolean): Fields {
  const [id, versionId] = [textAt(resource, 'id')!, textAt(resource, 'meta', 'versionId')!];
  const place = `${resource.resourceType}/${id}`;
  return {
    response: {
      status: status === 201 ? '201 Created' : '200 OK',
      location: namesNoVersions ? place : `${place}/_history/${versionId}`,
      ...(namesNoVersions ? {} : { etag: `W/"${versionId}"` }),
      lastModified: textAt(resource, 'meta', 'lastUpdated'),
    },
  };
}
