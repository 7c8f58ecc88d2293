import { Injectable } from '@nestjs/common';
import { OperatorTrail, type Operator, type OperatorAct } from '../../core/audit/operator-trail.js';
import { PhotoTracer } from '../../core/trace/photo-tracer.js';
import type { Trace } from '../../core/trace/trace.js';
import { toTraceView, type TraceView } from './trace.views.js';

/** PhotoTracer for the admin API and the command line. Each look goes into the audit trail under the operator's name. */
@Injectable()
export class TraceOperations {
  constructor(
    private readonly tracer: PhotoTracer,
    private readonly trail: OperatorTrail,
  ) {}

  /** As PhotoTracer.trace; `service.unavailable` where the look cannot be recorded. */
  async trace(operator: Operator, id: string): Promise<TraceView> {
    const trace = await this.tracer.trace(id);
    for (const act of actsOf(trace)) await this.trail.record(operator, act);
    return toTraceView(id, trace);
  }
}

/**
 * One act for each tenant whose photos or messages were looked at. The id as typed is not kept: it may be an order
 * number.
 */
function actsOf({ takenFor, photos, apart }: Trace): OperatorAct[] {
  const acts = new Map<string, OperatorAct>();
  const looks = [
    ...photos.map(({ tenant, imageId }) => ({ tenant, resources: [`Media/${imageId}`] })),
    ...apart.map(({ tenant, events }) => ({
      tenant,
      resources: events.flatMap(({ resources }) => resources.slice(0, 1)),
    })),
  ];
  for (const { tenant, resources } of looks) {
    const key = `${tenant.organizationId} ${tenant.environment}`;
    const before = acts.get(key)?.resources ?? [];
    acts.set(key, {
      interaction: '$trace',
      action: 'R',
      of: tenant,
      resources: [...new Set([...before, ...resources])],
      query: `as=${takenFor.join(',')}`,
    });
  }
  return acts.size > 0
    ? [...acts.values()]
    : [{ interaction: '$trace', action: 'R', resources: [], query: `as=${takenFor.join(',')}` }];
}
