import { Injectable } from '@nestjs/common';
import { OrganizationRepository } from '../../../core/organizations/organization.repository.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { Settings } from '../../../platform/config/settings.js';

/** So long a zone is taken for the present one: each report and each search by date would ask for it otherwise. */
const TRUST_MS = 60_000;
/** Organizations that are remembered at once. */
const MOST_KNOWN = 10_000;

interface KnownZone {
  readonly timeZone: string | null;
  readonly until: number;
}

/** The clocks by which an organization means a date without an offset: its own zone, else the service's. A change counts within a minute. */
@Injectable()
export class OrganizationZone {
  private readonly known = new Map<string, KnownZone>();

  constructor(
    private readonly organizations: OrganizationRepository,
    private readonly settings: Settings,
  ) {}

  /** IANA. */
  async of(transaction: TenantTransaction): Promise<string> {
    const { organizationId } = transaction.tenant;
    const known = this.known.get(organizationId);
    const zone =
      known !== undefined && known.until > performance.now()
        ? known.timeZone
        : await this.find(transaction, organizationId);
    return zone ?? this.settings.process.timeZone;
  }

  private async find(transaction: TenantTransaction, organizationId: string): Promise<string | null> {
    const timeZone = (await this.organizations.find(transaction, organizationId))?.timeZone ?? null;
    if (this.known.size >= MOST_KNOWN) this.known.clear();
    this.known.set(organizationId, { timeZone, until: performance.now() + TRUST_MS });
    return timeZone;
  }
}
