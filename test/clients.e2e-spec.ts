import './clients/change-feed.e2e.js';
import './clients/mcp.e2e.js';
import './clients/mirror.e2e.js';
import './clients/webhooks.e2e.js';
