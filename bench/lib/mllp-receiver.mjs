import { createServer } from 'node:net';

const VT = 0x0b;
const END = Buffer.from([0x1c, 0x0d]);

/** A receiver of results that takes each message at once, and counts them. */
export async function startMllpReceiver() {
  const receiver = { count: 0 };
  const sockets = new Set();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    let rest = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      for (let end = rest.indexOf(END); end !== -1; end = rest.indexOf(END)) {
        const header = rest
          .toString('latin1', rest.indexOf(VT) + 1, end)
          .split('\r')[0]
          .split('|');
        rest = rest.subarray(end + END.length);
        receiver.count += 1;
        socket.write(
          `\x0bMSH|^~\\&|EHR|HOSP|SUTURA|SUTURA|20260101000000||ACK|A${receiver.count}|T|2.5.1\rMSA|CA|${header[9]}\r\x1c\r`,
        );
      }
    });
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  receiver.port = server.address().port;
  receiver.close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return receiver;
}
