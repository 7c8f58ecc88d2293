import { Controller, Get, Header, HttpStatus, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { register } from 'prom-client';
import { ApiExcludeController } from '../http/openapi.decorators.js';
import { PublicRoute } from '../http/route-access.js';
import { Readiness } from './readiness.js';

/** Liveness, readiness and metrics. They need no key and contain no tenant's data. */
@ApiExcludeController()
@PublicRoute()
@Controller()
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get('health/live')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /** 200 if everything that this process needs is usable, else 503 with the names of the others. */
  @Get('health/ready')
  async ready(
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<{ status: 'ok' | 'unavailable'; checks: object }> {
    const { ready, checks } = await this.readiness.report();
    void reply.status(ready ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE);
    return { status: ready ? 'ok' : 'unavailable', checks };
  }

  /** Prometheus text format. */
  @Get('metrics')
  @Header('Content-Type', register.contentType)
  metrics(): Promise<string> {
    return register.metrics();
  }
}
