import { describeHostileXml } from '../hostile-xml-caller.js';

describeHostileXml('strict');
