import { HttpException, NotFoundException, ServiceUnavailableException } from '@nestjs/common';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { fromHttpError } from './from-http-error.js';

describe('errors of the framework and of libraries', () => {
  const fastify = (code: string, statusCode: number) =>
    Object.assign(new Error('text with /a/path'), { name: 'FastifyError', code, statusCode });

  it.each([
    [new Error('select * from secrets'), 'service.internal'],
    ['text', 'service.internal'],
    [undefined, 'service.internal'],
    [Object.assign(new Error('from a peer'), { statusCode: 404 }), 'service.internal'],
    [fastify('FST_ERR_CTP_BODY_TOO_LARGE', 413), 'request.too_large'],
    [new HttpException('x', 413, { cause: fastify('FST_ERR_CTP_BODY_TOO_LARGE', 413) }), 'request.too_large'],
    [fastify('FST_ERR_CTP_INVALID_MEDIA_TYPE', 415), 'request.content_type'],
    [fastify('FST_ERR_BAD_URL', 400), 'request.invalid'],
    [fastify('FST_ERR_MAX_PARAM_LENGTH', 414), 'request.uri_too_long'],
    [fastify('FST_ERR_NEW', 400), 'request.invalid'],
    [new NotFoundException(), 'route.not_found'],
    [new HttpException('/etc', 403), 'route.not_found'],
    [new HttpException('x', 451), 'request.invalid'],
    [new ServiceUnavailableException(), 'service.unavailable'],
    [new SuturaError('job.not_found'), 'job.not_found'],
  ])('%p is %s, without its text', (thrown, code) => {
    const error = fromHttpError(thrown);
    expect(error.code).toBe(code);
    expect(error.detail).not.toMatch(/path|select/);
  });
});
