import './connections/connections.e2e.js';
import './connections/connect-limits.e2e.js';
import './connections/credentials.e2e.js';
import './connections/renewed-credential.e2e.js';
