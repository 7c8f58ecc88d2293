import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Set in the second start of the bench, whose network is its own. */
const INSIDE = 'BENCH_OWN_NETWORK';
const NETWORK = '10.77.0';
/** Of the bridge, where PostgreSQL, Redis, the object store and the clients are. */
const OWN_ADDRESS = `${NETWORK}.1`;
const FIRST_MEMBER = 10;

export const isInOwnNetwork = () => process.env[INSIDE] === '1';

/**
 * Runs this program again in a network and a mount namespace of its own, and ends with its exit code. Nothing in there is connected with the
 * machine's network, and all of it is gone once the last process ends. Linux, as root.
 */
export async function startAgainInOwnNetwork() {
  const flags = ['--net', '--mount', '--propagation', 'private', '--fork', '--kill-child', '--'];
  const program = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const child = spawn('unshare', [...flags, ...program], {
    stdio: 'inherit',
    env: { ...process.env, [INSIDE]: '1' },
  });
  child.once('error', (fault) => {
    throw new Error(`--namespaces needs Linux, root and unshare: ${fault.message}`);
  });
  const [code] = await once(child, 'exit');
  process.exit(code ?? 1);
}

/** A bridge, and behind it a network namespace for each member of a fleet, with an address of its own. */
export async function openHosts() {
  await mkdir('/run/netns', { recursive: true });
  await run('mount', ['-t', 'tmpfs', 'tmpfs', '/run/netns']);
  await ip('link', 'set', 'lo', 'up');
  await ip('link', 'add', 'hosts', 'type', 'bridge');
  await ip('address', 'add', `${OWN_ADDRESS}/24`, 'dev', 'hosts');
  await ip('link', 'set', 'hosts', 'up');
  let made = 0;
  return {
    address: OWN_ADDRESS,
    /** A further host: its address, and the words that start a program there. */
    async add() {
      made += 1;
      const [name, outside, address] = [`host-${made}`, `port-${made}`, `${NETWORK}.${FIRST_MEMBER + made}`];
      await ip('netns', 'add', name);
      await ip('link', 'add', outside, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
      await ip('link', 'set', outside, 'master', 'hosts', 'up');
      await ip('-n', name, 'address', 'add', `${address}/24`, 'dev', 'eth0');
      for (const device of ['lo', 'eth0']) await ip('-n', name, 'link', 'set', device, 'up');
      return { address, launcher: ['ip', 'netns', 'exec', name] };
    },
  };
}

async function ip(...words) {
  await run('ip', words);
}
