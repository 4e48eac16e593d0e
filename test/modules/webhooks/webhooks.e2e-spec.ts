import './webhooks.e2e.js';
import './pages.e2e.js';
