import { describeCostlyBytes } from './costly-bytes.js';

describeCostlyBytes('shared machine');
