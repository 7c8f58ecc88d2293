import type { Tenant } from '../../core/tenancy/tenant.js';

/** Documents that a notification names, which are kept apart from it. */
export abstract class NotificationDocuments {
  /** The notification with the bytes of its reports' documents in `presentedForm.data`. Throws what reading them throws: the delivery is tried again. */
  abstract fill(tenant: Tenant, notification: Buffer): Promise<Buffer>;
}
