// simple-hl7 as a listener: it parses and answers, and keeps nothing.
import { createRequire } from 'node:module';

const hl7 = createRequire(import.meta.url)('simple-hl7');
const app = hl7.tcp();
app.use((request, answer, next) => next());
app.use((request, answer) => answer.end());
app.start(0);
const { server } = app.server;
server.once('listening', () => process.send({ kind: 'ready', port: server.address().port }));
process.on('disconnect', () => process.exit(0));
