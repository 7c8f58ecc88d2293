import type { lookup } from 'node:dns';
import { isClosedAddress, openLookup } from './closed-addresses.js';
import { openSocket } from './client-socket.js';

type Found = readonly { readonly address: string; readonly family: number }[];

/** A resolver that knows one name. */
const knowing = (found: Found) =>
  ((_host: string, _options: object, done: (fault: null, found: Found) => void) => done(null, found)) as typeof lookup;

const answerOf = (found: Found, all: boolean) =>
  new Promise<unknown>((done) =>
    openLookup(knowing(found))('ehr.example.org', { all }, (fault, address) =>
      done((fault as { code?: string } | null)?.code ?? address),
    ),
  );

describe('an address of a receiver', () => {
  it.each([
    ['the agent of a cloud machine', '169.254.169.254'],
    ['the same in the form of IPv6', '::ffff:169.254.169.254'],
    ['that agent by IPv6', 'fd00:ec2::254'],
    ['the agent of Azure', '168.63.129.16'],
    ['a link-local address', 'fe80::1'],
    ['no address', '0.0.0.0'],
    ['no address of IPv6', '::'],
    ['everybody', '255.255.255.255'],
    ['a group', '239.1.2.3'],
  ])('is refused where it is %s', (_, address) => {
    expect(isClosedAddress(address)).toBe(true);
  });

  it.each(['10.20.0.5', '192.168.1.9', '172.16.0.1', '127.0.0.1', '203.0.113.9', 'fd00:1::5', '2a00::1', 'ehr.local'])(
    'is taken where it may be one: %s',
    (address) => {
      expect(isClosedAddress(address)).toBe(false);
    },
  );

  it('is refused where one of the addresses of its name is closed', async () => {
    const found = [
      { address: '10.20.0.5', family: 4 },
      { address: '169.254.169.254', family: 4 },
    ];
    expect([await answerOf(found, true), await answerOf(found, false)]).toEqual(['ADDRESS_CLOSED', 'ADDRESS_CLOSED']);
  });

  it('is what its name says otherwise', async () => {
    const found = [
      { address: '10.20.0.5', family: 4 },
      { address: '10.20.0.6', family: 4 },
    ];
    expect([await answerOf(found, true), await answerOf(found, false)]).toEqual([found, '10.20.0.5']);
  });

  it.each([
    ['plainly', null],
    ['with TLS', {}],
  ])('that is closed is not connected to, %s', async (_, tls) => {
    const socket = openSocket({ host: '169.254.169.254', port: 80, tls });
    const fault = await new Promise((done) => socket.once('error', done));
    expect(fault).toMatchObject({ code: 'ADDRESS_CLOSED' });
    expect(socket.connecting).toBe(false);
  });
});
