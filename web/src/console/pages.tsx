import type { ComponentType } from 'react';
import type { Role } from '../../../src/core/tenancy/roles.js';
import { AccountPage } from './account-page.js';
import { AuditPage } from './audit/audit-page.js';
import { ConnectionsPage } from './connections/connections-page.js';
import { DeliveriesPage } from './deliveries/deliveries-page.js';
import { DeliveryPage } from './deliveries/delivery-page.js';
import { FailuresPage } from './failures/failures-page.js';
import { FhirDryRunPage } from './fhir/fhir-dry-run-page.js';
import { FiguresPage } from './figures/figures-page.js';
import { FirstPage } from './first/first-page.js';
import { HeldItemPage } from './held/held-item-page.js';
import { HeldPage } from './held/held-page.js';
import { DryRunPage } from './messages/dry-run-page.js';
import { MessagePage } from './messages/message-page.js';
import { MessagesPage } from './messages/messages-page.js';
import { PeersPage } from './peers/peers-page.js';
import { CaseloadPage, WorklistPage } from './reviewing/worklist-page.js';
import { SearchPage } from './search/search-page.js';
import { OrganizationsPage } from './tenancy/organizations-page.js';
import { UsersPage } from './tenancy/users-page.js';

/** A page of the console; those with a label stand in the list of pages. */
export interface Page {
  readonly path: string;
  readonly label?: string;
  /** Not offered to those who do not hold it in any organization. */
  readonly role?: Role;
  readonly page: ComponentType;
}

export const PAGES: readonly Page[] = [
  { path: '/', label: 'Now', page: FirstPage },
  { path: '/connections', label: 'Connections', page: ConnectionsPage },
  { path: '/failures', label: 'Failures', role: 'integrator', page: FailuresPage },
  { path: '/worklist', label: 'Worklist', role: 'reviewer', page: WorklistPage },
  { path: '/caseload', label: 'Caseload', role: 'reviewer', page: CaseloadPage },
  { path: '/search', page: SearchPage },
  { path: '/messages', label: 'HL7 messages', page: MessagesPage },
  { path: '/messages/:messageId', page: MessagePage },
  { path: '/held', label: 'Waiting for a person', page: HeldPage },
  { path: '/held/:organizationId/:heldId', page: HeldItemPage },
  { path: '/dry-run', label: 'Try a message', page: DryRunPage },
  { path: '/fhir-dry-run', label: 'Try FHIR', page: FhirDryRunPage },
  { path: '/deliveries', label: 'Deliveries', page: DeliveriesPage },
  { path: '/deliveries/:deliveryId', page: DeliveryPage },
  { path: '/peers', label: 'Listeners and destinations', page: PeersPage },
  { path: '/figures', label: 'Figures', page: FiguresPage },
  { path: '/organizations', label: 'Organizations and keys', page: OrganizationsPage },
  { path: '/users', label: 'Users', page: UsersPage },
  { path: '/audit', label: 'Audit trail', page: AuditPage },
  { path: '/account', label: 'My account', page: AccountPage },
];
