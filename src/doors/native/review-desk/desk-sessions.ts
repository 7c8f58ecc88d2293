import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isSuturaError, SuturaError } from '../../../core/errors/sutura-error.js';
import type { ReviewLink } from '../../../core/report/review-link.js';
import { ReviewLinks } from '../../../core/report/review-links.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import {
  csrfTokenOf,
  FailedLoginThrottle,
  isSecure,
  ReadThrottle,
  requireCsrfToken,
  requireOwnSite,
  WriteThrottle,
} from '../../../identity/index.js';
import { PublicAddress } from '../../../platform/http/public-address.js';
import { deskCookie, readDeskCookie } from './desk-cookie.js';

/** Who is at the desk: the link that opened it, and the caller in whose name it acts. */
export interface DeskAccess {
  readonly link: ReviewLink;
  readonly caller: Caller;
  readonly csrfToken: string;
}

/** The sessions of the desk: opened by a link, held by a cookie of this link alone. */
@Injectable()
export class DeskSessions {
  constructor(
    private readonly links: ReviewLinks,
    private readonly address: PublicAddress,
    private readonly reads: ReadThrottle,
    private readonly writes: WriteThrottle,
    private readonly failures: FailedLoginThrottle,
  ) {}

  /** `auth.csrf` for the page of another site, `rate.limited`, `review.link`. */
  async open(request: FastifyRequest, reply: FastifyReply, linkId: string, secret: string): Promise<DeskAccess> {
    requireOwnSite(request, this.address.url);
    const { link, session } = await this.links.open(linkId, secret).catch((error: unknown) => {
      // Who tries links is slowed down; colleagues behind the same address, who open theirs, are not.
      if (isSuturaError(error, 'review.link')) this.reads.countRead(`address ${request.ip}`);
      throw error;
    });
    const secure = isSecure(request, this.address.url);
    void reply.header('set-cookie', deskCookie(session, link.id, { secure, framed: link.isFramed }));
    return deskAccess(request, link, session);
  }

  /**
   * `turn`: by which rate a change counts: a person's, or that of what the page sends by itself. `isUse` false: nobody need be there for it. `auth.csrf`, `rate.limited`,
   * `review.session`.
   */
  async admit(
    request: FastifyRequest,
    linkId: string,
    turn: 'person' | 'page' = 'person',
    isUse = true,
  ): Promise<DeskAccess> {
    requireOwnSite(request, this.address.url);
    const held = readDeskCookie(request, isSecure(request, this.address.url));
    if (held === null) throw new SuturaError('review.session');
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const desk = deskAccess(request, await this.linkOf(request, linkId, held, isUse), held);
    // Each desk is throttled on its own, so that one person does not use up the rate of colleagues, or of the key behind the link.
    if (isRead || turn === 'page') this.reads.countRead(`desk ${linkId}`);
    else this.writes.countWrite({ organizationId: desk.caller.organizationId, keyId: `desk ${linkId}` });
    requireCsrfToken(request, held);
    return desk;
  }

  /** Who guesses sessions is slowed down as who guesses keys. */
  private linkOf({ ip }: FastifyRequest, linkId: string, session: string, isUse: boolean): Promise<ReviewLink> {
    return this.links.linkOf(linkId, session, isUse).catch((error: unknown) => {
      throw isSuturaError(error, 'review.session') ? this.failures.throttledFault(ip, error) : error;
    });
  }

  async end(request: FastifyRequest, reply: FastifyReply, { link }: DeskAccess): Promise<void> {
    await this.links.end(link);
    const secure = isSecure(request, this.address.url);
    void reply.header('set-cookie', deskCookie(null, link.id, { secure, framed: link.isFramed }));
  }
}

function deskAccess(request: FastifyRequest, link: ReviewLink, session: string): DeskAccess {
  const { organizationId, environment, keyId, person, mode } = link;
  const who = { organizationId, environment, keyId, ...(person === null ? {} : { person }) };
  if (request.note !== null) request.note.caller = who;
  const caller: Caller = {
    ...who,
    scopes: mode === 'review' ? ['analysis:read', 'analysis:review'] : ['analysis:read'],
    origin: { requestId: request.id, address: request.ip },
  };
  return { link, caller, csrfToken: csrfTokenOf(session) };
}
