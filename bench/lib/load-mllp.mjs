import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { percentile } from './statistics.mjs';

const WARM_UP_S = 2;
const VT = Buffer.from([0x0b]);
const END = Buffer.from([0x1c, 0x0d]);

/**
 * Full load on an MLLP port for `secs`, after a discarded warm-up: each connection has `window` messages on their way. Every acknowledgment has to
 * carry `expected` as MSA-1 and the id that was sent as MSA-2, in order. What is on its way at the end is waited for, so that as many
 * messages were acknowledged as were sent. `messageOf` makes { bytes, controlId }.
 */
export async function loadMllp({ port, connections, window = 1, secs, messageOf, expected }) {
  const run = { sent: 0, acknowledged: 0, latenciesMs: [] };
  const lanes = await Promise.all(Array.from({ length: connections }, () => openLane(port)));
  await keepBusy(lanes, { window, secs: Math.min(WARM_UP_S, secs), messageOf, expected, run });
  const warm = run.acknowledged;
  run.latenciesMs = [];
  const tookS = await keepBusy(lanes, { window, secs, messageOf, expected, run });
  for (const lane of lanes) lane.socket.destroy();
  if (run.sent !== run.acknowledged)
    throw new Error(`${run.sent} messages were sent, ${run.acknowledged} acknowledged`);
  return {
    perSecond: (run.acknowledged - warm) / tookS,
    p50: percentile(run.latenciesMs, 0.5),
    p99: percentile(run.latenciesMs, 0.99),
    acknowledged: run.acknowledged,
  };
}

/** The time to the acknowledgment of each of many messages, on one connection and at most `perSecond`, in milliseconds. */
export async function timeMllp({ port, secs, perSecond, messageOf, expected }) {
  const lane = await openLane(port);
  const run = { sent: 0, acknowledged: 0, latenciesMs: [] };
  const end = performance.now() + secs * 1000;
  while (performance.now() < end) {
    const began = performance.now();
    await exchange(lane, { messageOf, expected, run });
    await pause(Math.max(0, 1000 / perSecond - (performance.now() - began)));
  }
  lane.socket.destroy();
  return { latenciesMs: run.latenciesMs, acknowledged: run.acknowledged };
}

/** So many messages on one connection, each once the one before was acknowledged. */
export async function sendOneByOne({ port, count, messageOf, expected }) {
  const lane = await openLane(port);
  const run = { sent: 0, acknowledged: 0, latenciesMs: [] };
  while (run.sent < count) await exchange(lane, { messageOf, expected, run });
  lane.socket.destroy();
}

async function keepBusy(lanes, load) {
  const began = performance.now();
  const end = began + load.secs * 1000;
  const sender = async (lane) => {
    while (performance.now() < end) await exchange(lane, load);
  };
  await Promise.all(lanes.flatMap((lane) => Array.from({ length: load.window }, () => sender(lane))));
  return (performance.now() - began) / 1000;
}

async function exchange(lane, { messageOf, expected, run }) {
  const { bytes, controlId } = messageOf();
  const began = performance.now();
  run.sent += 1;
  const answer = await lane.ask(bytes);
  run.latenciesMs.push(performance.now() - began);
  if (!answer.includes(`\rMSA|${expected}|${controlId}`))
    throw new Error(`${controlId} was answered with ${JSON.stringify(answer.slice(0, 500))}`);
  run.acknowledged += 1;
}

/** One connection, whose answers come in the order of what was sent. */
function openLane(port) {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  const waiting = [];
  let rest = Buffer.alloc(0);
  const fail = (fault) => waiting.splice(0).forEach(({ failed }) => failed(fault));
  socket.on('data', (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(END); end !== -1; end = rest.indexOf(END)) {
      const answer = rest.toString('utf8', rest.indexOf(VT) + 1, end);
      rest = rest.subarray(end + END.length);
      waiting.shift()?.answered(answer);
    }
  });
  socket.on('close', () => fail(new Error('the connection was closed')));
  const ask = (bytes) =>
    new Promise((answered, failed) => {
      waiting.push({ answered, failed });
      socket.write(Buffer.concat([VT, bytes, END]));
    });
  return new Promise((opened, failed) => {
    socket.once('error', failed);
    socket.once('connect', () => opened({ socket, ask }));
  });
}
