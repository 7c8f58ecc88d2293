import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { randomState } from 'openid-client';
import { isSuturaError, SuturaError } from '../../core/errors/sutura-error.js';
import { redirectAddress } from '../../ehrs/index.js';
import { isSecure, LaunchThrottle, PublicRoute } from '../../identity/index.js';
import { Settings } from '../../platform/config/settings.js';
import { ApiExcludeController } from '../../platform/http/openapi.decorators.js';
import { PublicAddress } from '../../platform/http/public-address.js';
import { LaunchBegin } from './launch-begin.service.js';
import { LaunchCompletion } from './launch-completion.service.js';
import { isInFrame, launchCookie, readLaunchCookie } from './launch-cookie.js';
import { LaunchRefusals } from './launch-refusals.js';
import type { StatedLaunch } from './launch-refusal.js';

const LONGEST = 4096;

/** SMART App Launch 2.2: an EHR opens the review desk from a chart. */
@ApiExcludeController()
@Controller('launch')
export class LaunchController {
  constructor(
    private readonly begin: LaunchBegin,
    private readonly completion: LaunchCompletion,
    private readonly refusals: LaunchRefusals,
    private readonly throttle: LaunchThrottle,
    private readonly address: PublicAddress,
    private readonly settings: Settings,
  ) {}

  /** The launch URL of every EHR: `?iss=…&launch=…`. */
  @Get()
  @PublicRoute()
  async launch(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    try {
      this.requirePages();
      this.throttle.requireTurn(request.ip);
      const secure = isSecure(request, this.address.url);
      // Two launches at once in one browser are bound to it by one secret.
      const held = readLaunchCookie(request, secure);
      const browser = {
        secret: held ?? randomState(),
        isKnown: held !== null,
        isFramed: isInFrame(request),
        address: request.ip,
      };
      const address = await this.begin.begin(statedIn(request), browser);
      await reply
        .headers(NOT_KEPT)
        .header('set-cookie', launchCookie(browser.secret, { secure, framed: browser.isFramed }))
        .redirect(address, 302);
    } catch (fault) {
      await this.refusals.answer(request, reply, this.throttled(request, fault));
    }
  }

  /** Where the authorization server of this EHR sends the browser back. */
  @Get('callback/:ehrId')
  @PublicRoute()
  async complete(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('ehrId') ehrId: string,
  ): Promise<void> {
    try {
      this.requirePages();
      this.throttle.requireTurn(request.ip);
      const { id, secret } = await this.completion.complete({
        ehrId,
        asked: new URL(`${redirectAddress(this.address.url, ehrId)}${new URL(request.url, 'http://any').search}`),
        secret: readLaunchCookie(request, isSecure(request, this.address.url)),
        origin: { requestId: request.id, address: request.ip },
      });
      // Behind `#`, which no browser sends on: the page trades it for its session.
      await reply.headers(NOT_KEPT).redirect(`${this.address.url}/review/${id}#${secret}`, 303);
    } catch (fault) {
      await this.refusals.answer(request, reply, this.throttled(request, fault));
    }
  }

  private requirePages(): void {
    if (!this.settings.console.isOn)
      throw new SuturaError('route.not_found', { detail: 'The pages are switched off (SUTURA_CONSOLE).' });
  }

  /** Who tries issuers or states is slowed down, and with them nobody who launches from an EHR that is known. */
  private throttled({ ip }: FastifyRequest, fault: unknown): unknown {
    if (!isSuturaError(fault, 'launch.unknown') && !isSuturaError(fault, 'launch.state')) return fault;
    return this.throttle.failed(ip, fault);
  }
}

/** What stands in the address is for this moment and this browser. */
const NOT_KEPT = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' } as const;

/** `request.invalid` without both, or with either of them twice. */
function statedIn({ url }: FastifyRequest): StatedLaunch {
  const { searchParams } = new URL(url, 'http://any');
  const one = (name: 'iss' | 'launch'): string => {
    const values = searchParams.getAll(name);
    const [value = ''] = values;
    if (values.length !== 1 || value === '' || value.length > LONGEST)
      throw new SuturaError('request.invalid', {
        detail: 'Open Sutura from within the EHR, which states iss and launch, once each.',
        errors: [{ pointer: `/query/${name}`, detail: `must be stated once, with at most ${LONGEST} characters` }],
      });
    return value;
  };
  return { iss: one('iss'), launch: one('launch') };
}
