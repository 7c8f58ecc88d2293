import { Catch, Injectable, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { Logger } from '../logging/logger.js';
import { fromHttpError } from './from-http-error.js';
import type { HttpAdapter } from './http.adapter.js';
import { PROBLEM_STATUS, pathOf } from './problem.js';
import { sendRefusal } from './refusal-formats.js';

/**
 * Turns anything thrown below a door into a refusal in that door's format. Unknown faults are logged with their
 * request id and answered as `service.internal`.
 */
@Catch()
@Injectable()
export class ProblemFilter implements ExceptionFilter {
  constructor(
    private readonly logger: Logger,
    private readonly adapterHost: HttpAdapterHost<HttpAdapter>,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const error = this.nameOf(thrown, request);
    this.log(error, thrown, request);
    if (!reply.sent) sendRefusal(this.adapterHost.httpAdapter.refusals, error, request, reply);
  }

  private nameOf(thrown: unknown, request: FastifyRequest): SuturaError {
    const error = fromHttpError(thrown);
    if (error.code !== 'route.not_found' || !request.is404) return error;
    const allow = this.adapterHost.httpAdapter.routes.methodsOf(pathOf(request.raw.url ?? ''));
    return allow.length === 0 ? error : new SuturaError('route.method_not_allowed', { allow });
  }

  private log(error: SuturaError, thrown: unknown, request: FastifyRequest): void {
    const status = PROBLEM_STATUS[error.kind];
    // The pattern of the route, as the address may carry a caller's ids or a signature.
    const fields = {
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status,
      code: error.code,
    };
    if (status === 500) this.logger.error('http.failed', fields, thrown);
    else if (status > 500) this.logger.warn('http.unavailable', fields);
    else this.logger.debug('http.refused', fields);
  }
}
