import { describePages, EVERYBODY } from '../web/browser/every-page.js';
import { LOOKS } from '../web/browser/looks.js';

describePages(EVERYBODY, LOOKS);
