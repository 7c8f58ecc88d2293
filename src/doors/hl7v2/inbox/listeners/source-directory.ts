import { Injectable } from '@nestjs/common';
import { tenantOf, type Tenant } from '../../../../core/tenancy/tenant.js';
import type { Hl7Source } from '../../mapping/reading/hl7-source.js';
import { sourceOf, type Hl7Listener } from './hl7-listener.js';
import { ListenerRepository } from './listener.repository.js';

/** The longest until a change of a listener's settings reaches messages. */
const LIFE_MS = 4000;
const MOST_KNOWN = 1000;

interface Known {
  readonly source: Promise<Hl7Source>;
  readonly until: number;
}

/** The settings of each source, cached for some seconds. */
@Injectable()
export class SourceDirectory {
  private readonly known = new Map<string, Known>();

  constructor(private readonly listeners: ListenerRepository) {}

  /** The source of a stored message. */
  of(record: Tenant & { readonly sourceId: string }): Promise<Hl7Source> {
    const find = async (): Promise<Hl7Listener> =>
      (await this.listeners.find(record.sourceId)) ?? this.listeners.ofHttp(tenantOf(record));
    return this.remembered(record.sourceId, async () => ({ ...sourceOf(await find()), id: record.sourceId }));
  }

  /** The source of requests to POST /hl7v2. */
  ofHttp(tenant: Tenant): Promise<Hl7Source> {
    return this.remembered(`${tenant.organizationId} ${tenant.environment}`, async () =>
      sourceOf(await this.listeners.ofHttp(tenant)),
    );
  }

  private remembered(key: string, read: () => Promise<Hl7Source>): Promise<Hl7Source> {
    const known = this.known.get(key);
    if (known !== undefined && performance.now() < known.until) return known.source;
    if (this.known.size >= MOST_KNOWN) this.known.clear();
    const source = read();
    this.known.set(key, { source, until: performance.now() + LIFE_MS });
    source.catch(() => this.known.delete(key));
    return source;
  }
}
