import { Injectable } from '@nestjs/common';
import { OrganizationRepository } from '../../../core/organizations/organization.repository.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { Settings } from '../../../platform/config/settings.js';

/** The clocks by which an organization means a date without an offset: its own zone, else the service's. */
@Injectable()
export class OrganizationZone {
  constructor(
    private readonly organizations: OrganizationRepository,
    private readonly settings: Settings,
  ) {}

  /** IANA. */
  async of(transaction: TenantTransaction): Promise<string> {
    const organization = await this.organizations.find(transaction, transaction.tenant.organizationId);
    return organization?.timeZone ?? this.settings.process.timeZone;
  }
}
