import type { Provider, Type } from '@nestjs/common';
import { AuditEventsController } from './audit-events.controller.js';
import { AuditSealer } from './audit-sealer.js';

export { FhirAudit, type AuditedInteraction, type Touched } from './fhir-audit.js';

export const AUDIT_CONTROLLERS: Type[] = [AuditEventsController];
export const AUDIT_PROVIDERS: Provider[] = [AuditSealer];
