import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ReviewLinks } from '../core/report/review-links.js';
import { Settings } from '../platform/config/settings.js';
import { ApiExcludeController } from '../platform/http/openapi.decorators.js';
import { PublicRoute } from '../platform/http/route-access.js';
import type { PageFile } from './page-file.js';
import { PageFiles } from './page-files.js';
import { sendPage } from './send-page.js';

/** Own files alone, nothing inside the page, and in nobody's frame. Pictures may be made by the page itself from bytes that it asked for. */
const policyFor = (frames: string): string =>
  [
    "default-src 'self'",
    "img-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${frames}`,
  ].join('; ');
const PAGE_POLICY = policyFor("'none'");
/** A year: the name of such a file changes with its content. */
const FOREVER = 'public, max-age=31536000, immutable';
const ASK_EACH_TIME = 'no-cache';

/** The files of the console and of the review desk. They hold no data: whoever has them still has to log in. */
@ApiExcludeController()
@Controller()
export class PagesController {
  constructor(
    private readonly files: PageFiles,
    private readonly links: ReviewLinks,
    private readonly settings: Settings,
  ) {}

  /** Each address of the console is the same page, which reads its own address. */
  @Get(['console', 'console/*'])
  @PublicRoute()
  async console(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    void reply.header('content-security-policy', PAGE_POLICY);
    const page = await this.files.page('console.html');
    const hasProvider = this.settings.oidc.issuer !== undefined;
    await sendPage(request, reply, page !== null && hasProvider ? offeringProvider(page) : page, ASK_EACH_TIME);
  }

  /** The page of one link, which it opens itself by what stands behind `#`. In frames that the link was made for, and in no other. */
  @Get(['review', 'review/:linkId'])
  @PublicRoute()
  async review(
    @Req() request: FastifyRequest<{ Params: { linkId?: string } }>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const frameOrigins = await this.links.frameOriginsOf(request.params.linkId ?? '');
    void reply.header(
      'content-security-policy',
      policyFor(frameOrigins.length === 0 ? "'none'" : frameOrigins.join(' ')),
    );
    await sendPage(request, reply, await this.files.page('review.html'), ASK_EACH_TIME);
  }

  @Get('web/mark.svg')
  @PublicRoute()
  async mark(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await sendPage(request, reply, await this.files.page('mark.svg'), ASK_EACH_TIME);
  }

  @Get('web/assets/:name')
  @PublicRoute()
  async asset(@Param('name') name: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await sendPage(request, reply, await this.files.asset(name), FOREVER);
  }
}

/** The page for installations where people log in by their identity provider. */
function offeringProvider({ bytes, contentType, etag }: PageFile): PageFile {
  const text = bytes.toString('utf8').replace('<body>', '<body data-login="provider">');
  return { bytes: Buffer.from(text), contentType, etag: etag.replace(/"$/, '-provider"') };
}
