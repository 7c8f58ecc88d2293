import { Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { AuditAction, AuditedDoor } from '../../core/audit/access.js';
import { SERVICE_TENANT } from '../../core/audit/operator-trail.js';
import { AuditTrail } from '../../core/audit/audit-trail.js';
import type { HttpAdapter } from '../../platform/http/http.adapter.js';
import type { EndedRequest } from '../../platform/http/request-note.js';
import { RefusalGroups, type Refused, type RefusedRow } from './refusal-groups.js';

const WRITE_EVERY_MS = 1000;
/** Stands for callers without a key, or with an unknown one. */
const NOBODY = 'unknown';
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
// The methods of HTTP; that a Bundle takes the same ones is chance.
// eslint-disable-next-line sutura/record-by-union
const ACTIONS: Readonly<Record<string, AuditAction>> = {
  GET: 'R',
  HEAD: 'R',
  POST: 'C',
  PUT: 'U',
  PATCH: 'U',
  DELETE: 'D',
};
const INTERACTIONS: Readonly<Record<AuditAction, string>> = {
  C: 'create',
  R: 'read',
  U: 'update',
  D: 'delete',
  E: '$refused',
};
/** The FHIR type of an id in a path, by the word before it. */
const RESOURCES: Readonly<Record<string, string>> = {
  images: 'Media',
  jobs: 'Task',
  reports: 'DiagnosticReport',
  wounds: 'BodyStructure',
  organizations: 'Organization',
  keys: 'Device',
  clients: 'Device',
  users: 'Person',
  messages: 'MessageHeader',
};

/**
 * Writes refusals into the audit trail: missing, wrong and insufficient keys, and ids that do not exist for the
 * caller. Requests do not wait for it and are answered even if it cannot be written, as nothing was shown.
 */
@Injectable()
export class RefusalTrail implements OnModuleInit, BeforeApplicationShutdown {
  private readonly groups = new RefusalGroups();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly trail: AuditTrail,
    private readonly adapterHost: HttpAdapterHost<HttpAdapter>,
  ) {}

  onModuleInit(): void {
    this.adapterHost.httpAdapter?.endings?.on((ended) => this.take(ended));
    this.timer = setInterval(() => void this.write(), WRITE_EVERY_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.write(true);
  }

  private take(ended: EndedRequest): void {
    const refused = refusedOf(ended);
    if (refused !== null) this.groups.add(refused, performance.now());
  }

  /** The trail itself logs a row that cannot be written. */
  private async write(isLast = false): Promise<void> {
    await Promise.all(this.groups.due(performance.now(), isLast).map((row) => this.record(row).catch(() => undefined)));
  }

  private record({
    organizationId,
    environment,
    keyId,
    address,
    requestId,
    door,
    method,
    route,
    code,
    resource,
    occurrences,
    person,
  }: RefusedRow): Promise<void> {
    const action = ACTIONS[method] ?? 'E';
    const origin = { requestId: requestId ?? '', address: address ?? '' };
    const access = {
      door,
      interaction: INTERACTIONS[action],
      action,
      patients: [],
      resources: resource === null ? [] : [resource],
      query: `${method} ${route}`.trim(),
      refusal: { code, occurrences },
    };
    const ofPerson = person === null ? {} : { person };
    return this.trail.recordNow({ organizationId, environment, keyId, scopes: [], origin, ...ofPerson }, access);
  }
}

/**
 * null for a refusal that the trail does not keep, such as that of a health probe, a mistyped address or a wrong
 * body.
 */
export function refusedOf({ request, note, route, status }: EndedRequest): Refused | null {
  const { code, caller } = note;
  if (code === null || route === null || !isWrittenDown(code, status, caller !== null)) return null;
  const { organizationId, environment, keyId } = caller ?? { ...SERVICE_TENANT, keyId: NOBODY };
  return {
    organizationId,
    environment,
    keyId,
    address: request.ip,
    door: doorOf(route),
    method: request.method,
    route,
    code,
    requestId: request.id,
    person: caller?.person ?? null,
    resource: note.resource === null ? resourceIn(request.params, route) : onlyWithUuid(note.resource),
  };
}

function isWrittenDown(code: string, status: number, isKnown: boolean): boolean {
  if (status === 401 || status === 403) return true;
  // Too many wrong keys. A known key that is too fast is not an attack.
  if (status === 429) return code === 'login.locked' || (!isKnown && code === 'rate.limited');
  return (
    (status === 404 || status === 410) && isKnown && code !== 'route.not_found' && code !== 'fhir.type_not_supported'
  );
}

function doorOf(route: string): Exclude<AuditedDoor, 'cli'> {
  if (route.startsWith('/fhir')) return 'fhir';
  if (route.startsWith('/admin')) return 'admin';
  if (route.startsWith('/cds-services') || route.startsWith('/launch')) return 'ehr';
  return route.startsWith('/hl7v2') ? 'hl7v2' : 'rest';
}

/**
 * The first id of a path, as FHIR writes it. A text that is no id of this service is not kept, as it may be anything.
 */
function resourceIn(params: unknown, route: string): string | null {
  const [before, name] = /\/([a-z]+)\/:(\w+)/.exec(route)?.slice(1) ?? [];
  const type = before === undefined ? undefined : RESOURCES[before];
  const id = name === undefined ? undefined : (params as Readonly<Record<string, unknown>> | null)?.[name];
  return type === undefined || typeof id !== 'string' ? null : onlyWithUuid(`${type}/${id}`);
}

function onlyWithUuid(resource: string): string | null {
  return UUID.test(resource.slice(resource.indexOf('/') + 1)) ? resource : null;
}
