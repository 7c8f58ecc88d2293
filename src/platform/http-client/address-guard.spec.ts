import { BlockList } from 'node:net';
import { AddressGuard, isOpenAddress, networksOf } from './address-guard.js';

const nothing = new BlockList();

describe('an address of the public internet', () => {
  it.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '168.63.129.16',
    '::ffff:168.63.129.16',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.7',
    '203.0.113.9',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::7f00:1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:a9fe:a9fe',
    '64:ff9b::a00:1',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    '5f00::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
  ])('is not %s', (address) => {
    expect(isOpenAddress(address, nothing)).toBe(false);
  });

  it.each(['', 'localhost', '127.1', '0x7f.0.0.1', '2130706433', '[::1]', '1.2.3.4.5'])(
    'is not the text %p',
    (text) => {
      expect(isOpenAddress(text, nothing)).toBe(false);
    },
  );

  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '172.15.0.1',
    '172.32.0.1',
    '100.63.255.255',
    '192.0.1.1',
    '198.17.0.1',
    '223.255.255.255',
    '2606:4700::1111',
    '2a00:1450:4001::1',
  ])('is %s', (address) => {
    expect(isOpenAddress(address, nothing)).toBe(true);
  });

  it('may be one of a network that the operator opened, and no other', () => {
    const opened = networksOf(['10.20.0.0/16', 'fd00:1::/32']);
    expect(['10.20.3.4', 'fd00:1::5'].map((address) => isOpenAddress(address, opened))).toEqual([true, true]);
    expect(['10.21.0.1', 'fd00:2::5', '127.0.0.1'].map((address) => isOpenAddress(address, opened))).toEqual([
      false,
      false,
      false,
    ]);
  });

  it.each(['10.0.0.0', '10.0.0.0/99', 'example.org/8', '/8'])('cannot be opened by %p', (text) => {
    expect(() => networksOf([text])).toThrow();
  });
});

describe('a host that one request may reach beside the others', () => {
  const guard = (...addresses: string[]) =>
    new AddressGuard(networksOf(['10.1.0.0/16']), () => Promise.resolve(addresses));
  const more = () => Promise.resolve(networksOf(['10.2.0.0/16']));
  const notAsked = () => Promise.reject(new Error('asked'));

  it('is none whose addresses are not all of one or the other, whatever is public', async () => {
    expect(await guard('10.2.0.1', '10.3.0.1').admit('a.example', 'public', more)).toBeNull();
    expect(await guard('8.8.8.8').admit('a.example', 'opened', more)).toBeNull();
  });

  it('may have addresses of both, and leads to the first', async () => {
    expect(await guard('10.2.0.1', '10.1.0.1').admit('a.example', 'opened', more)).toMatchObject({
      address: '10.2.0.1',
    });
    expect(await guard('10.2.0.1', '8.8.8.8').admit('a.example', 'public', more)).toMatchObject({
      address: '10.2.0.1',
    });
  });

  it('is not asked about where the networks of all do', async () => {
    expect(await guard('10.1.0.1').admit('a.example', 'opened', notAsked)).toMatchObject({ address: '10.1.0.1' });
    expect(await guard('8.8.8.8').admit('a.example', 'public', notAsked)).toMatchObject({ address: '8.8.8.8' });
  });
});
