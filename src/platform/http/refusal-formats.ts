import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SuturaError } from '../../core/errors/sutura-error.js';
import { isAtOrBelow, problemHeaders, toProblem, type ProblemOccasion } from './problem.js';

/** A refusal, ready to be sent. */
export interface RenderedRefusal {
  readonly status: number;
  /** In lower case, with content-type. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type RenderRefusal = (error: SuturaError, occasion: ProblemOccasion) => RenderedRefusal;

/** The format of refusals by path. A path that no door has claimed is answered with a problem (RFC 9457). */
export class RefusalFormats {
  private readonly claimed: { readonly prefix: string; readonly render: RenderRefusal }[] = [];

  /** Refuses everything at and below `prefix` (`/name`) in this format, even without such a route. */
  claim(prefix: string, render: RenderRefusal): void {
    this.claimed.push({ prefix, render });
  }

  render(error: SuturaError, occasion: ProblemOccasion): RenderedRefusal {
    const claim = this.claimed.find(({ prefix }) => isAtOrBelow(occasion.url, prefix));
    return (claim?.render ?? renderProblem)(error, occasion);
  }
}

function renderProblem(error: SuturaError, occasion: ProblemOccasion): RenderedRefusal {
  const problem = toProblem(error, occasion);
  return { status: problem.status, headers: problemHeaders(error), body: JSON.stringify(problem) };
}

/** Answers with a refusal in the format of the door that was called. */
export function sendRefusal(
  formats: RefusalFormats,
  error: SuturaError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  if (request.note !== null && request.note !== undefined) request.note.code = error.code;
  const { status, headers, body } = formats.render(error, {
    requestId: request.id,
    url: request.raw.url ?? '',
    request: request.raw,
  });
  void reply.code(status).headers(headers).send(body);
}
