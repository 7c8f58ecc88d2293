import type { ServiceRequest } from '@medplum/fhirtypes';
import { LOINC, OBSERVABLE, SUTURA } from '../../reports/index.js';

const SERVICE = `${SUTURA}/CodeSystem/service`;

/** True for an order of what this service does: the wound assessment panel, or the analysis by its own code. */
export function isWoundOrder({ code }: ServiceRequest): boolean {
  return (code?.coding ?? []).some(
    (coding) =>
      (coding.system === LOINC && coding.code === OBSERVABLE.panel.code) ||
      (coding.system === SERVICE && coding.code === 'wound-image-analysis'),
  );
}

/** The order in the words of core's analysis requests. */
export function orderKeyOf(orderId: string): string {
  return `ServiceRequest/${orderId}`;
}
