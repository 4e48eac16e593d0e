import './providers/us-provider.e2e.js';
import './providers/global-provider.e2e.js';
import './providers/global-pending.e2e.js';
import './providers/unstable-ids.e2e.js';
import './providers/early-writing.e2e.js';
