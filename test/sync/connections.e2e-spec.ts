import './connections.e2e.js';
import './connect-limits.e2e.js';
import './credentials.e2e.js';
import './renewed-credential.e2e.js';
import './provider-port.e2e.js';
