import { describePages, EVERYBODY } from '../browser/every-page.js';
import { LOOKS } from '../browser/looks.js';

describePages(EVERYBODY, LOOKS);
