import { Controller, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { hasScope, type Caller } from '../../../core/tenancy/api-key.js';
import type { Scope } from '../../../core/tenancy/api-key.js';
import { CurrentCaller, RequiresKey } from '../../../identity/index.js';
import { Settings } from '../../../platform/config/settings.js';
import type { HttpAnswer } from '../../../platform/http/http-answer.js';
import type { AcknowledgmentCode } from '../ack/acknowledgment-code.js';
import { SourceDirectory } from '../inbox/listeners/source-directory.js';
import { MessageReceiver } from '../inbox/receiving/message-receiver.js';
import type { MessageOrigin, Reply } from '../inbox/receiving/reply.js';
import { DescribesHl7OverHttp } from './hl7.openapi.js';
import { mediaTypeOf, namedTypeOf, readUnread } from '../../../platform/http/unread-bodies.js';

/** The scopes that a message may need. */
const NEEDED: readonly Scope[] = ['images:write', 'analysis:write'];
const STATUS: Readonly<Record<AcknowledgmentCode, number>> = { AA: 200, CA: 200, AR: 400, CR: 400, AE: 500, CE: 500 };
/** Status where the sender asked for no acknowledgment. */
const ACCEPTED = 202;

/**
 * HL7 v2 over HTTP as in HAPI: one message or a batch in the request, its acknowledgment in the response, MSA-1 as the
 * status.
 */
@Controller('hl7v2')
export class Hl7Controller {
  constructor(
    private readonly messages: MessageReceiver,
    private readonly sources: SourceDirectory,
    private readonly settings: Settings,
  ) {}

  @Post()
  @RequiresKey({ takesBasic: true })
  @DescribesHl7OverHttp()
  async receive(@CurrentCaller() caller: Caller, @Req() request: FastifyRequest): Promise<HttpAnswer> {
    for (const scope of NEEDED)
      if (!hasScope(caller, scope))
        throw new SuturaError('auth.scope', { detail: `The key lacks the scope "${scope}". Use a key that has it.` });
    const mediaType = messageTypeOf(request);
    const isAlways200 = (request.query as Record<string, unknown>)['ackStatus'] === 'always200';
    const bytes = await readMessage(request, this.settings.hl7.maxBytes);
    const source = await this.sources.ofHttp(caller);
    const origin: MessageOrigin = {
      source,
      transport: 'http',
      keyId: caller.keyId,
      mayReview: hasScope(caller, 'analysis:review'),
      address: request.ip,
      connection: null,
    };
    return answerOf(await this.messages.receive(bytes, origin), mediaType, isAlways200);
  }
}

/** `hl7.unreadable` for a message that cannot be acknowledged. */
function answerOf({ ack, code }: Reply, mediaType: string, isAlways200: boolean): HttpAnswer {
  if (code === null) throw new SuturaError('hl7.unreadable');
  const status = isAlways200 ? 200 : ack === null ? ACCEPTED : STATUS[code];
  return { status, headers: ack === null ? {} : { 'content-type': `${mediaType}; charset=utf-8` }, body: ack };
}

const BODY_TIMEOUT_MS = 120_000;
const DEFAULT_TYPE = 'application/hl7-v2';
/** The media types of HAPI's "HL7 over HTTP", and those that engines send in their place. */
const TAKEN: readonly string[] = [DEFAULT_TYPE, 'application/hl7-v2+er7', 'x-application/hl7-v2+er7', 'text/plain'];

/** The media type of the request, which the response has as well. `request.content_type`. */
function messageTypeOf(request: FastifyRequest): string {
  const type = mediaTypeOf(namedTypeOf(request) ?? DEFAULT_TYPE);
  if (!TAKEN.includes(type))
    throw new SuturaError('request.content_type', { detail: `Send the message as ${DEFAULT_TYPE}.` });
  return type;
}

/** `request.too_large`, `request.timeout`, `request.invalid`. */
function readMessage(request: FastifyRequest, limitBytes: number): Promise<Buffer> {
  return readUnread(request, { limitBytes, timeoutMs: BODY_TIMEOUT_MS });
}
