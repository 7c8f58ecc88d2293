export { readAcknowledgment, type Acknowledgment, type StatedProblem } from './acknowledgment.js';
export { encodeFrame, FrameDecoder, type FrameEvent, type FrameLimits } from './frame-decoder.js';
export { certificateDays } from './certificate-days.js';
export { faultCodeOf, type ClientAddress, type MllpClientTls } from './client-socket.js';
export { MllpClient, MllpDeliveryError, type MllpClientOptions } from './mllp-client.js';
export type { MllpConnection, MllpHandler, MllpListenerEvent } from './mllp-handler.js';
export { MllpListener, type MllpListenerOptions, type MllpTls } from './mllp-listener.js';
export { SYSTEM_TIMERS, type RunningTimer, type Timers } from './mllp-timers.js';
export { probeLine, type LineCertificate, type LineReport } from './probe-line.js';
