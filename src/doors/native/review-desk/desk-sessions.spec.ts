import type { FastifyReply, FastifyRequest } from 'fastify';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import type { ReviewLink } from '../../../core/report/review-link.js';
import type { ReviewLinks } from '../../../core/report/review-links.js';
import { csrfTokenOf, FailedLoginThrottle, ReadThrottle, WriteThrottle } from '../../../identity/index.js';
import { readSettings } from '../../../platform/config/settings.js';
import type { PublicAddress } from '../../../platform/http/public-address.js';
import { DeskSessions } from './desk-sessions.js';

const SESSION = 's'.repeat(43);
const SETTINGS = readSettings({
  SUTURA_READS_PER_S: '1',
  SUTURA_READ_BURST: '3',
  SUTURA_WRITES_PER_S: '1',
  SUTURA_WRITE_BURST: '3',
});

/** The desks of one EHR, which are its people’s at one address. */
function desks(): DeskSessions {
  const linkOf = (id: string) =>
    ({ id, organizationId: 'o', environment: 'test', keyId: 'ehr', person: null, mode: 'review' }) as ReviewLink;
  const links: Pick<ReviewLinks, 'linkOf' | 'open'> = {
    linkOf: (id) => Promise.resolve(linkOf(id)),
    open: (id, secret) =>
      secret === 'right'
        ? Promise.resolve({ link: linkOf(id), session: SESSION })
        : Promise.reject(new SuturaError('review.link')),
  };
  return new DeskSessions(
    // Only what this file asks of them is there.
    links as ReviewLinks,
    { url: 'http://w.example' } as PublicAddress,
    new ReadThrottle(SETTINGS),
    new WriteThrottle(SETTINGS),
    new FailedLoginThrottle(),
  );
}
const request = {
  method: 'POST',
  protocol: 'http',
  host: 'w.example',
  id: 'r',
  ip: '10.0.0.1',
  note: null,
  headers: { cookie: `sutura-review=${SESSION}`, 'x-csrf-token': csrfTokenOf(SESSION) },
} as Partial<FastifyRequest> as FastifyRequest;
const reply = { header: () => reply } as Partial<FastifyReply> as FastifyReply;

async function codesOf(times: number, work: () => Promise<unknown>): Promise<ReadonlySet<string>> {
  const codes = new Set<string>();
  for (let at = 0; at < times; at += 1)
    codes.add(
      await work().then(
        () => 'done',
        (fault: unknown) => (fault instanceof SuturaError ? fault.code : 'other'),
      ),
    );
  return codes;
}

describe('the rate of a desk', () => {
  it('is its own for changes, too: who uses it up cuts nobody off who came by the same EHR', async () => {
    const of = desks();
    expect(await codesOf(20, () => of.admit(request, 'l-1'))).toEqual(new Set(['done', 'rate.limited']));
    expect(await codesOf(3, () => of.admit(request, 'l-2'))).toEqual(new Set(['done']));
  });

  it('does not run out for colleagues who open theirs, but for whoever tries links', async () => {
    const of = desks();
    expect(await codesOf(20, () => of.open(request, reply, 'l-1', 'right'))).toEqual(new Set(['done']));
    expect(await codesOf(20, () => of.open(request, reply, 'l-1', 'wrong'))).toEqual(
      new Set(['review.link', 'rate.limited']),
    );
    expect(await codesOf(3, () => of.open(request, reply, 'l-2', 'right'))).toEqual(new Set(['done']));
  });
});
