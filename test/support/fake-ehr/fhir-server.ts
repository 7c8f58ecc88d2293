import type { AccessGrant } from './access-tokens.js';
import { capabilityOf } from './capability.js';
import type { Interaction, TypeRules } from './dialects.js';
import type { EhrState } from './ehr-state.js';
import { isResource, textAt, type Resource } from './json.js';
import { Refusal } from './outcome.js';
import { patientOf } from './rules/base.js';
import { grantsFor, type Permission } from './scopes.js';
import { checkCriteria, matches, pageOf, requireCriteria } from './search.js';
import { performTransaction } from './transaction.js';
import type { Answer, Call } from './wire.js';
import { Writing, type Written } from './writing.js';

const FHIR_JSON = 'application/fhir+json';
/** A resource with its version, as it is read from and answered. */
type Served = { readonly resource: Resource; readonly rules: TypeRules };

/** The FHIR server of the EHR: everything it answers lies under its base. */
export class FhirServer {
  private readonly writing: Writing;

  constructor(
    private readonly state: EhrState,
    private readonly urls: { readonly fhirBaseUrl: string; readonly authorize: string; readonly token: string },
  ) {
    this.writing = new Writing(state, urls.fhirBaseUrl);
  }

  /** Answers one call; `path` is what follows the base. */
  answer(call: Call, path: string): Answer {
    try {
      return this.serve(
        call,
        path.split('/').filter((part) => part !== ''),
      );
    } catch (fault) {
      if (fault instanceof Refusal) return fault.answer;
      throw fault;
    }
  }

  private serve(call: Call, parts: readonly string[]): Answer {
    requireAccept(call, parts);
    if (parts.length === 1 && parts[0] === 'metadata' && call.method === 'GET')
      return fhirAnswer(200, capabilityOf(this.state, this.urls));
    const grant = this.authorize(call);
    const [type, id, ...rest] = parts;
    if (type === undefined) return this.transact(call, grant);
    const rules = this.state.typeRules(type);
    if (rules === undefined) throw new Refusal(404, { code: 'not-supported', text: `${type} is not served.` });
    switch (call.method) {
      case 'GET':
        return id === undefined ? this.search(type, rules, call.query, grant) : this.read(type, id, rest, call, grant);
      case 'POST':
        if (id === '_search' && rest.length === 0) return this.searchByForm(type, rules, call, grant);
        if (id !== undefined) break;
        return this.create(type, call, grant);
      case 'PUT':
        if (id === undefined || rest.length > 0) break;
        return this.update(type, id, call, grant);
      default:
    }
    throw new Refusal(405, { code: 'not-supported', text: `${call.method} is not served here.` });
  }

  /** The grant of the call's token; null where the server is open. */
  private authorize({ headers, query }: Call): AccessGrant | null {
    if (query.has('access_token')) this.state.objections.push('A token stood in an address.');
    if (this.state.isOpen) {
      if (headers.authorization !== undefined) this.state.objections.push('An open server was sent a token.');
      return null;
    }
    const [, token] = /^Bearer ([A-Za-z0-9._~+/-]+=*)$/.exec(headers.authorization ?? '') ?? [];
    const grant = token === undefined ? null : this.state.tokens.find(token);
    if (grant !== null) return grant;
    const reason = token === undefined ? '' : ' error="invalid_token"';
    throw new Refusal(
      401,
      { code: 'login', text: 'A valid token is needed.' },
      { 'www-authenticate': `Bearer${reason}` },
    );
  }

  private transact(call: Call, grant: AccessGrant | null): Answer {
    if (call.method !== 'POST' || !this.state.rules.transaction)
      throw new Refusal(405, { code: 'not-supported', text: 'There are no transactions.' });
    return fhirAnswer(200, performTransaction(bodyOf(call), this.state, this.writing, grant));
  }

  private create(type: string, call: Call, grant: AccessGrant | null): Answer {
    const sent = bodyOf(call);
    if (sent.resourceType !== type) throw new Refusal(400, { code: 'invalid', text: `That is no ${type}.` });
    const ifNoneExist = call.headers['if-none-exist'];
    return this.written(
      this.writing.create(sent, grant, Array.isArray(ifNoneExist) ? ifNoneExist.join('&') : ifNoneExist),
      call,
    );
  }

  private update(type: string, id: string, call: Call, grant: AccessGrant | null): Answer {
    const sent = bodyOf(call);
    if (sent.resourceType !== type) throw new Refusal(400, { code: 'invalid', text: `That is no ${type}.` });
    return this.written(this.writing.update(sent, id, grant, call.headers['if-match']), call);
  }

  /** `Location` and the version; the resource itself only where `Prefer` asks for it. */
  private written({ status, resource }: Written, { headers }: Call): Answer {
    const { resourceType: type } = resource;
    const rules = this.state.typeRules(type)!;
    const id = textAt(resource, 'id')!;
    const version = rules.hidesVersions === true ? '' : `/_history/${textAt(resource, 'meta', 'versionId')!}`;
    const all = {
      location: `${this.urls.fhirBaseUrl}/${type}/${id}${version}`,
      ...versionHeaders({ resource, rules }),
    };
    const isFull = String(headers['prefer'] ?? '').includes('return=representation');
    return isFull ? fhirAnswer(status, shown({ resource, rules }), all) : { status, headers: all };
  }

  private read(type: string, id: string, rest: readonly string[], call: Call, grant: AccessGrant | null): Answer {
    const [history, versionId, ...more] = rest;
    const interaction: Interaction =
      history === undefined ? 'read' : versionId === undefined ? 'history-instance' : 'vread';
    if ((history !== undefined && history !== '_history') || more.length > 0)
      throw new Refusal(404, { code: 'not-found', text: 'There is nothing.' });
    const rules = this.offered(type, interaction);
    const reference = `${type}/${id}`;
    const found =
      versionId === undefined ? this.state.chart.current(reference) : this.state.chart.version(reference, versionId);
    if (found === undefined || !this.isReadable(found, 'r', grant))
      throw new Refusal(404, { code: 'not-found', text: `There is no ${reference}.` });
    if (interaction === 'history-instance') return fhirAnswer(200, historyOf(this.state.chart.history(reference)));
    if (type === 'Binary' && !String(call.headers.accept).includes(FHIR_JSON)) return rawBinary(found);
    return fhirAnswer(200, shown({ resource: found, rules }), versionHeaders({ resource: found, rules }));
  }

  private search(type: string, rules: TypeRules, criteria: URLSearchParams, grant: AccessGrant | null): Answer {
    this.offered(type, 'search-type');
    requireCriteria(criteria, rules.searchNeeds);
    checkCriteria(type, criteria, rules.searches ?? []);
    if (grant !== null && grantsFor(grant.scopes, type, 's').length === 0)
      throw new Refusal(403, { code: 'forbidden', text: `The token's scopes do not allow to search ${type}.` });
    const found = this.state.chart
      .ofType(type)
      .filter((one) => matches(one, criteria) && this.isReadable(one, 's', grant));
    const { offset, count } = pageOf(criteria, this.state.pageSize);
    const page = found.slice(offset, offset + count);
    return fhirAnswer(200, {
      resourceType: 'Bundle',
      type: 'searchset',
      total: found.length,
      link: this.links(type, criteria, offset + count < found.length ? offset + count : null),
      entry: page.map((resource) => ({
        fullUrl: `${this.urls.fhirBaseUrl}/${type}/${textAt(resource, 'id')!}`,
        resource: shown({ resource, rules }),
        search: { mode: 'match' },
      })),
    });
  }

  private searchByForm(type: string, rules: TypeRules, call: Call, grant: AccessGrant | null): Answer {
    if (!String(call.headers['content-type']).startsWith('application/x-www-form-urlencoded'))
      throw new Refusal(415, { code: 'not-supported', text: 'A search by POST is a form.' });
    return this.search(type, rules, new URLSearchParams(call.body.toString('utf8')), grant);
  }

  private links(type: string, criteria: URLSearchParams, next: number | null) {
    const url = (change: Readonly<Record<string, string>>): string => {
      const all = new URLSearchParams([...criteria]);
      for (const [name, value] of Object.entries(change)) all.set(name, value);
      return `${this.urls.fhirBaseUrl}/${type}?${all.toString()}`;
    };
    const self = { relation: 'self', url: url({}) };
    return next === null ? [self] : [self, { relation: 'next', url: url({ _offset: String(next) }) }];
  }

  private offered(type: string, interaction: Interaction): TypeRules {
    const rules = this.state.typeRules(type)!;
    if (!rules.interactions.includes(interaction))
      throw new Refusal(405, { code: 'not-supported', text: `${type} has no ${interaction}.` });
    return rules;
  }

  /** Resources of other patients are not there for a token that was given for one. */
  private isReadable(resource: Resource, permission: Permission, grant: AccessGrant | null): boolean {
    if (grant === null) return true;
    const grants = grantsFor(grant.scopes, resource.resourceType, permission);
    if (grants.length === 0)
      throw new Refusal(403, { code: 'forbidden', text: `The token's scopes do not allow ${resource.resourceType}.` });
    const own = `Patient/${grant.patientId ?? ''}`;
    const patient = resource.resourceType === 'Patient' ? `Patient/${textAt(resource, 'id')!}` : patientOf(resource);
    return grants.some(({ isForPatient }) => !isForPatient || patient === undefined || patient === own);
  }
}

/** FHIR's JSON must be asked for by its name; the bytes of a Binary by theirs, or as they come. */
function requireAccept({ headers }: Call, parts: readonly string[]): void {
  const accepted = (headers.accept ?? '').split(',').map((one) => one.split(';')[0]!.trim());
  const isBinary = parts[0] === 'Binary' && accepted.some((one) => one !== '');
  if (accepted.includes(FHIR_JSON) || isBinary) return;
  throw new Refusal(406, { code: 'not-supported', text: `Accept must name ${FHIR_JSON}.` });
}

function bodyOf({ headers, body }: Call): Resource {
  const [type, ...parameters] = String(headers['content-type'] ?? '')
    .split(';')
    .map((one) => one.trim().toLowerCase());
  const isUtf8 = parameters.every((one) => !one.startsWith('charset=') || /^charset="?utf-8"?$/.test(one));
  if (type !== FHIR_JSON || !isUtf8)
    throw new Refusal(415, { code: 'not-supported', text: `Content-Type must be ${FHIR_JSON}, in UTF-8.` });
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    if (isResource(parsed)) return parsed;
  } catch {
    // Refused below, as JSON that is no resource is.
  }
  throw new Refusal(400, { code: 'structure', text: 'The body is no resource.' });
}

function fhirAnswer(status: number, resource: Resource, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers: { 'content-type': `${FHIR_JSON}; charset=utf-8`, ...headers }, json: resource };
}

function versionHeaders({ resource, rules }: Served): Readonly<Record<string, string>> {
  const lastUpdated = textAt(resource, 'meta', 'lastUpdated')!;
  const modified = { 'last-modified': new Date(lastUpdated).toUTCString() };
  return rules.hidesVersions === true
    ? modified
    : { ...modified, etag: `W/"${textAt(resource, 'meta', 'versionId')!}"` };
}

function shown({ resource, rules }: Served): Resource {
  if (rules.hidesVersions !== true) return resource;
  return { ...resource, meta: { lastUpdated: textAt(resource, 'meta', 'lastUpdated') } };
}

function historyOf(versions: readonly Resource[]): Resource {
  const entry = versions.toReversed().map((resource) => ({ resource }));
  return { resourceType: 'Bundle', type: 'history', total: versions.length, entry };
}

function rawBinary(resource: Resource): Answer {
  const contentType = textAt(resource, 'contentType') ?? 'application/octet-stream';
  return {
    status: 200,
    headers: { 'content-type': contentType },
    bytes: Buffer.from(textAt(resource, 'data') ?? '', 'base64'),
  };
}
