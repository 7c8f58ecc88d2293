import { describeCostlyBytes } from '../costly-bytes.js';

describeCostlyBytes();
