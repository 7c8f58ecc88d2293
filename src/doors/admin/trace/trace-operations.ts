import { Injectable } from '@nestjs/common';
import { OperatorTrail, type OperatorAct } from '../../../core/audit/operator-trail.js';
import type { Operator } from '../../../core/tenancy/operator.js';
import { PhotoTracer } from '../../../core/trace/photo-tracer.js';
import type { Trace, TraceScope } from '../../../core/trace/trace.js';
import { toTraceView, type TraceView } from './trace.views.js';

/** PhotoTracer for the admin API and the command line. Each look goes into the audit trail under the operator's name. */
@Injectable()
export class TraceOperations {
  constructor(
    private readonly tracer: PhotoTracer,
    private readonly trail: OperatorTrail,
  ) {}

  /** As PhotoTracer.trace; `service.unavailable` where the look cannot be recorded. */
  async trace(operator: Operator, id: string, scope: TraceScope = {}): Promise<TraceView> {
    const trace = await this.tracer.trace(id, scope);
    for (const act of actsOf(trace, scope)) await this.trail.record(operator, act);
    return toTraceView(id, trace);
  }
}

/**
 * One act for each tenant whose photos or messages were looked at. The id as typed is not kept: it may be an order
 * number.
 */
function actsOf({ takenFor, photos, apart }: Trace, { organizationId }: TraceScope): OperatorAct[] {
  const acts = new Map<string, OperatorAct>();
  const looks = [
    ...photos.map(({ tenant, patientId, imageId }) => ({ tenant, patientId, resources: [`Media/${imageId}`] })),
    ...apart.map(({ tenant, patientId, events }) => ({
      tenant,
      patientId,
      resources: events.flatMap(({ resources }) => resources.slice(0, 1)),
    })),
  ];
  for (const { tenant, patientId, resources } of looks) {
    const key = `${tenant.organizationId} ${tenant.environment}`;
    const { resources: before = [], patients = [] } = acts.get(key) ?? {};
    acts.set(key, {
      interaction: '$trace',
      action: 'R',
      of: tenant,
      patients: [...new Set([...patients, ...(patientId === null ? [] : [patientId])])],
      resources: [...new Set([...before, ...resources])],
      query: `as=${takenFor.join(',')}`,
    });
  }
  return acts.size > 0
    ? [...acts.values()]
    : [
        {
          interaction: '$trace',
          action: 'R',
          of: { organizationId },
          resources: [],
          query: `as=${takenFor.join(',')}`,
        },
      ];
}
