import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isSuturaError, type SuturaError } from '../../core/errors/sutura-error.js';
import { PROBLEM_STATUS } from '../../platform/http/problem.js';
import { PublicAddress } from '../../platform/http/public-address.js';
import { Logger } from '../../platform/logging/logger.js';
import { chooseLanguage } from '../../reports/index.js';
import { LaunchRefusal } from './launch-refusal.js';
import { launchPagePolicy, renderLaunchPage } from './page/launch-page.js';

/** Tells a person why a launch did not open, and what to do; a program is told as by every route. */
@Injectable()
export class LaunchRefusals {
  constructor(
    private readonly logger: Logger,
    private readonly address: PublicAddress,
  ) {}

  async answer(request: FastifyRequest, reply: FastifyReply, fault: unknown): Promise<void> {
    const refused = fault instanceof LaunchRefusal ? fault : null;
    const error = refused?.error ?? fault;
    if (!isSuturaError(error)) throw fault;
    if (refused !== null) this.note(refused, request);
    if (!/\btext\/html\b/i.test(request.headers.accept ?? '')) throw error;
    if (request.note !== null) request.note.code = error.code;
    const { retryAfterS } = error.facts;
    await reply
      .status(PROBLEM_STATUS[error.kind])
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': launchPagePolicy(refused?.frames ?? []),
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        vary: 'accept, accept-language',
        ...(retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) }),
      })
      .send(pageOf(error, refused, request, this.address.url));
  }

  /** In the log, ids and our own words, since what an EHR answered may be of a patient; and whose it was, for the trail of refusals. */
  private note({ error, ehr, person }: LaunchRefusal, { id: requestId, note }: FastifyRequest): void {
    const { id: ehrId, organizationId, environment } = ehr;
    if (note !== null)
      note.caller = { organizationId, environment, keyId: ehrId, ...(person === null ? {} : { person }) };
    const { code, detail: reason } = error;
    this.logger.warn('launch.refused', { requestId, organizationId, environment, ehrId, code, reason });
  }
}

function pageOf(error: SuturaError, refused: LaunchRefusal | null, request: FastifyRequest, publicUrl: string): string {
  const again = refused?.again ?? null;
  return renderLaunchPage({
    error,
    language: chooseLanguage(undefined, request.headers['accept-language']) ?? 'en',
    requestId: request.id,
    ownWindow: again === null ? null : `${publicUrl}/launch?${new URLSearchParams({ ...again }).toString()}`,
  });
}
