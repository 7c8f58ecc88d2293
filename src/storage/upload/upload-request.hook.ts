import type { FastifyReply, FastifyRequest } from 'fastify';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { UPLOAD_PATH } from '../signing/upload-claim.js';

const BELOW_UPLOAD_PATH = `${UPLOAD_PATH}/`;
const SIGNED = /[?&]signature=/;

/** A signed address used with another method is refused here, because no route has that method. `upload.signature`. */
export function refuseOtherMethods({ raw }: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  const { url = '', method } = raw;
  done(
    url.startsWith(BELOW_UPLOAD_PATH) && method !== 'PUT' && SIGNED.test(url)
      ? new SuturaError('upload.signature')
      : undefined,
  );
}
