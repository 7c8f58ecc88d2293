// As much of MLLP as a peer needs that knows its partner: one message in flight, frames on bytes.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { DemoFailure } from '../demo-gateway.mjs';

const [START, END, RETURN] = [0x0b, 0x1c, 0x0d];

export function framed(text) {
  return Buffer.concat([Buffer.of(START), Buffer.from(text, 'utf8'), Buffer.of(END, RETURN)]);
}

/** Calls back with the text of each frame that arrives on a socket. */
export function onFrames(socket, take) {
  let parts = [];
  socket.on('data', (chunk) => {
    let from = 0;
    for (let end = chunk.indexOf(END); end !== -1; end = chunk.indexOf(END, from)) {
      const frame = Buffer.concat([...parts, chunk.subarray(from, end)]);
      const start = frame.indexOf(START);
      if (start !== -1) take(frame.subarray(start + 1).toString('utf8'));
      parts = [];
      from = end + 1;
    }
    parts.push(chunk.subarray(from));
  });
}

/** Sends one message and gives back what it is answered with. */
export async function exchange({ host, port }, text, patienceMs) {
  const socket = connect({ host, port });
  try {
    return await new Promise((settle, fail) => {
      const place = `${host}:${port}`;
      socket.setTimeout(patienceMs, () =>
        fail(new DemoFailure(`${place} has not answered in ${patienceMs / 1000} s.`)),
      );
      socket.once('error', (fault) =>
        fail(
          new DemoFailure(
            `Nobody takes HL7 v2 messages at ${place} (${fault.code}). "npm start" starts a gateway that does.`,
          ),
        ),
      );
      socket.once('close', () => fail(new DemoFailure(`${place} closed the connection without an answer.`)));
      onFrames(socket, settle);
      socket.write(framed(text));
    });
  } finally {
    socket.destroy();
  }
}

/** Listens on a free port of this machine. `take` is called with each message and gives its answer. */
export async function listen(take) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    onFrames(socket, (text) => socket.write(framed(take(text))));
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const sockets = new Set();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { port: server.address().port, close };
}
