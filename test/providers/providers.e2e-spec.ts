import './us-provider.e2e.js';
import './global-provider.e2e.js';
import './global-pending.e2e.js';
import './unstable-ids.e2e.js';
import './early-writing.e2e.js';
